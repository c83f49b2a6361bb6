"""What the voice says in German and Spanish: each sentence of the ticker by its pattern.

The pages are English, and so is the ticker; a voice that speaks another language says the same in its own. A sentence
without a pattern, or a language without words here, is spoken as it is written.

>>> in_language("Old Tom loses 2 dice.", "de")
'Old Tom verliert 2 Würfel.'
>>> in_language("Taken back: Ann's bid.", "es-419")
'Deshecho: la apuesta de Ann.'
>>> in_language("Corrected: Ann 3 to 2; Bob starts.", "de")
'Berichtigt: Ann von 3 auf 2; Bob beginnt.'
>>> in_language("Bob has won.", "en-gb")
'Bob has won.'
"""

import re
from collections.abc import Callable, Mapping

#: What a placeholder of a pattern stands for.
_STANDS_FOR = {"name": r"[^\W_][\w'. -]*?", "n": r"\d+", "dice": r"[\dAKQJ ]+?", "words": ".+?", "what": ".+?"}

#: English pattern -> German, Spanish. The first that fits counts.
SENTENCES: Mapping[str, tuple[str, str]] = {
    "The game begins: everybody rolls one die, the highest starts.": (
        "Das Spiel beginnt: Jeder würfelt mit einem Würfel, der höchste fängt an.",
        "Empieza la partida: cada uno tira un dado y empieza el más alto.",
    ),
    "The game begins: {name} starts.": ("Das Spiel beginnt: {name} fängt an.", "Empieza la partida: abre {name}."),
    "The game was ended.": ("Das Spiel wurde beendet.", "La partida se dio por terminada."),
    "The host entered the dice by hand.": (
        "Der Wirt hat die Würfel von Hand eingegeben.",
        "El anfitrión anotó los dados a mano.",
    ),
    "{name} entered the dice by hand.": (
        "{name} hat die Würfel von Hand eingegeben.",
        "{name} anotó los dados a mano.",
    ),
    "{name} rolls none.": ("{name} würfelt nicht.", "{name} no tira ninguno."),
    "{name} rolls {n}.": ("{name} würfelt {n}.", "{name} tira {n}."),
    "{name} challenges.": ("{name} zweifelt an.", "{name} no se lo cree."),
    "{name} is away: the dice go on unrolled.": (
        "{name} ist nicht da: Die Würfel gehen ungewürfelt weiter.",
        "{name} no está: los dados pasan sin tirar.",
    ),
    "{name} shows {dice}.": ("{name} zeigt {dice}.", "{name} enseña {dice}."),
    "{name} says five aces.": ("{name} sagt fünf Asse.", "{name} dice cinco ases."),
    "{name}'s bid is five aces.": ("Die Ansage von {name} ist fünf Asse.", "La apuesta de {name} es cinco ases."),
    "{name}'s '{words}' does not beat the bid before: it is 'better'.": (
        "{words} von {name} ist nicht höher als die Ansage davor und gilt als besser.",
        "{words}, de {name}, no supera la apuesta anterior y vale como mejor.",
    ),
    "{name} did not roll the number of dice that was declared.": (
        "{name} hat nicht so viele Würfel geworfen wie angesagt.",
        "{name} no tiró tantos dados como dijo.",
    ),
    "The dice were disturbed: the reading sealed with the offer counts.": (
        "Die Würfel wurden bewegt: Es gilt, was beim Anbieten dort lag.",
        "Se movieron los dados: vale lo que había al ofrecerlos.",
    ),
    "Exactly as bid: everybody but the bidder loses a die.": (
        "Genau wie angesagt: Alle anderen verlieren einen Würfel.",
        "Exactamente lo apostado: todos los demás pierden un dado.",
    ),
    "{name} loses a life.": ("{name} verliert ein Leben.", "{name} pierde una vida."),
    "{name} loses a life for it.": ("{name} verliert dafür ein Leben.", "{name} pierde una vida por ello."),
    "{name} loses 1 die.": ("{name} verliert einen Würfel.", "{name} pierde un dado."),
    "{name} loses {n} dice.": ("{name} verliert {n} Würfel.", "{name} pierde {n} dados."),
    "{name} has no life left and may bark for the dog's.": (
        "{name} hat kein Leben mehr und darf um das des Hundes bellen.",
        "A {name} no le quedan vidas y puede ladrar por la del perro.",
    ),
    "{name} may bark for the dog's life.": (
        "{name} darf um das Leben des Hundes bellen.",
        "{name} puede ladrar por la vida del perro.",
    ),
    "{name} lives on with the dog's life.": (
        "{name} lebt mit dem Leben des Hundes weiter.",
        "{name} sigue con la vida del perro.",
    ),
    "{name} is out.": ("{name} ist ausgeschieden.", "{name} queda fuera."),
    "{name} has left the game.": ("{name} hat das Spiel verlassen.", "{name} ha dejado la partida."),
    "{name} has won.": ("{name} hat gewonnen.", "{name} ha ganado."),
    "The hand is void.": ("Die Runde ist ungültig.", "La mano es nula."),
    "The hand is void and nobody loses.": (
        "Die Runde ist ungültig, und niemand verliert.",
        "La mano es nula y nadie pierde.",
    ),
    "The hand is void: the same starter begins again.": (
        "Die Runde ist ungültig: Es beginnt noch einmal derselbe.",
        "La mano es nula: vuelve a empezar el mismo.",
    ),
    "The hand begun since is void.": (
        "Die Runde, die seither begonnen hat, ist ungültig.",
        "La mano empezada después es nula.",
    ),
    "The round is void and nobody loses.": (
        "Die Runde ist ungültig, und niemand verliert.",
        "La ronda es nula y nadie pierde.",
    ),
    "The round is void: the same player opens.": (
        "Die Runde ist ungültig: Es eröffnet derselbe.",
        "La ronda es nula: abre el mismo.",
    ),
    "Corrected: nothing else changes.": ("Berichtigt: Sonst ändert sich nichts.", "Corregido: no cambia nada más."),
    "Corrected: {what}.": ("Berichtigt: {what}.", "Corregido: {what}."),
    "Taken back: {what}.": ("Zurückgenommen: {what}.", "Deshecho: {what}."),
}

#: What is corrected or taken back.
PARTS: Mapping[str, tuple[str, str]] = {
    "{name} {n} to {n2}": ("{name} von {n} auf {n2}", "{name} de {n} a {n2}"),
    "{name} starts": ("{name} beginnt", "abre {name}"),
    "the whole hand": ("die ganze Runde", "toda la mano"),
    "the starting roll": ("der Wurf um den Anfang", "la tirada inicial"),
    "the roll": ("der Wurf", "la tirada"),
    "the exposure": ("das Aufdecken", "la revelación"),
    "the void": ("die Ungültigkeit", "la anulación"),
    "the correction": ("die Berichtigung", "la corrección"),
    "the howl": ("das Heulen", "el aullido"),
    "the woof": ("das Wuff", "el guau"),
    "{name}'s roll": ("der Wurf von {name}", "la tirada de {name}"),
    "{name}'s declared roll": ("der angesagte Wurf von {name}", "la tirada anunciada de {name}"),
    "{name}'s die": ("der Würfel von {name}", "el dado de {name}"),
    "{name}'s bid": ("die Ansage von {name}", "la apuesta de {name}"),
    "{name}'s better bid": ("die höhere Ansage von {name}", "la apuesta más alta de {name}"),
    "{name}'s yes": ("das Ja von {name}", "el sí de {name}"),
    "{name}'s challenge": ("der Zweifel von {name}", "la duda de {name}"),
    "{name}'s pointing out": ("der Hinweis von {name}", "el aviso de {name}"),
    "{name}'s absence": ("die Abwesenheit von {name}", "la ausencia de {name}"),
    "{name}'s showing of dice": ("das Zeigen von {name}", "lo que enseñó {name}"),
    "{name}'s waiving": ("der Verzicht von {name}", "la renuncia de {name}"),
    "{name}'s bark": ("das Bellen von {name}", "el ladrido de {name}"),
    "{name}'s refusal to bark": ("die Weigerung von {name}, zu bellen", "la negativa de {name} a ladrar"),
    "{name}'s leaving": ("der Abschied von {name}", "la marcha de {name}"),
}

#: Languages that have words here, and their place in the tables.
LANGUAGES = {"de": 0, "es": 1}


def in_language(text: str, voice: str) -> str:
    """Return a sentence of the ticker in the language of `voice`, such as "de" or "es-419", else as it is."""
    place = LANGUAGES.get(voice.lower().partition("-")[0])
    return text if place is None else _said(text, SENTENCES, place) or text


def _said(text: str, table: Mapping[str, tuple[str, str]], place: int) -> str | None:
    for pattern, found in _FITS[id(table)]:
        if (match := found(text)) is not None:
            held = match.groupdict()
            if "what" in held:
                held["what"] = _listed(held["what"], place)
            return table[pattern][place].format(**held)
    return None


def _listed(what: str, place: int) -> str:
    """Return every part of a list in its language."""
    pieces = re.split(r"(; |, )", what)
    return "".join(piece if piece in ("; ", ", ") else _said(piece, PARTS, place) or piece for piece in pieces)


def _fit(pattern: str) -> Callable[[str], re.Match[str] | None]:
    """Return what tells whether a text fits a pattern, placeholders filled."""
    pieces = re.split(r"\{(\w+)\}", pattern)
    named = [
        f"(?P<{piece}>{_STANDS_FOR[piece.rstrip('2')]})" if place % 2 else re.escape(piece)
        for place, piece in enumerate(pieces)
    ]
    return re.compile("".join(named)).fullmatch


_FITS = {id(table): [(pattern, _fit(pattern)) for pattern in table] for table in (SENTENCES, PARTS)}
