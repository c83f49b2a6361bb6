"""The simulated tray: a world of dice and a cup, seen by a simulated camera and moved by simulated hands.

It is a camera, not a shortcut: it implements `device.sources.FrameSource`, and only the frames it draws can tell the
table a face. What a person's hands and eyes do at a real tray comes through `act`, `look` and `picture`.

Actions and their fields (dice are numbered 0 to 4):

==============  ==========================  ==========================================================
action          fields                      what the hand does
==============  ==========================  ==========================================================
`cup_down`                                  puts the cup over the dice
`cup_up`                                    lifts the cup: what lies there is seen from above
`shake`                                     shakes the cup: every die under it is rolled
`roll`          `dice`: [numbers]           takes these dice out and rolls them, under the cup if it is down
`keep`          `dice`: [numbers]           puts these dice outside the cup, faces unchanged
`nudge`                                     knocks the cup or the tray: leaning dice fall flat
`lean`          `die`: number               leans a die against another or the cup (cocked)
`flip`          `die`: number               a finger turns a die to another face: a cheat
`spill`                                     all dice leave the tray
`gather`                                    all dice come back and are rolled
`only`          `count`: n                  leaves `count` dice on the tray, freshly rolled (1: starting roll)
`cover`         `on`: true or false         a beer mat over the lens
`unplug`                                    pulls the camera's cable
`plug`                                      puts it back
`press`         `button`: name              pushes a button of the console down
`release`       `button`: name              lets it go
`turn`          `steps`: n                  turns the console's knob, clockwise if positive
==============  ==========================  ==========================================================

`look` returns::

    {"dice": [{"id": 0, "x": 0.4, "y": 0.5, "angle": 30.0, "face": "K" | None, "where": "cup" | "open" | "away",
               "moving": false, "leaning": false}],
     "cup": {"down": true, "x": 0.5, "y": 0.5, "r": 0.3, "shaking": false},
     "covered": false, "plugged": true, "edge": 0.1, "moving": false,
     "console": {...} as device.console says}

x and y are 0..1 from left and from the far side of the tray, as a person sees it from above; `edge` is the side of a
die and `r` the cup's radius on the same scale. `face` is the top face, and only of dice that can be seen: in the
open, or under the cup with `peek`. Dice under the cup have no place either unless `peek`.
"""

#: Action -> names of its fields.
ACTIONS: dict[str, tuple[str, ...]] = {
    "cup_down": (),
    "cup_up": (),
    "shake": (),
    "roll": ("dice",),
    "keep": ("dice",),
    "nudge": (),
    "lean": ("die",),
    "flip": ("die",),
    "spill": (),
    "gather": (),
    "only": ("count",),
    "cover": ("on",),
    "unplug": (),
    "plug": (),
    "press": ("button",),
    "release": ("button",),
    "turn": ("steps",),
}
