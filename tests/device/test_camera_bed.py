"""The camera class against the real picamera2, on libcamera's virtual camera: see tests/picamera2_bed."""

import os
import subprocess
from pathlib import Path

import pytest

BED = Path(__file__).parents[1] / "picamera2_bed" / "run.sh"
ROOT = Path(os.environ.get("UNDERCUP_PICAMERA2_BED", "/var/tmp/undercup-picamera2-bed"))

_WHY = "the real picamera2 was not tried: it needs a Debian root of 650 MB, which 'make picamera2-bed' makes once"


@pytest.mark.skipif(not (ROOT / "opt" / "ready").exists(), reason=_WHY)
@pytest.mark.skipif(os.geteuid() != 0, reason="the real picamera2 was not tried: changing into its root needs root")
def test_the_camera_keeps_its_promises_with_the_real_picamera2() -> None:
    run = subprocess.run(["sh", str(BED), str(ROOT)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout[-4000:] + run.stderr[-2000:]


def test_the_bed_names_no_mirror_of_its_own() -> None:
    """Both scripts read the machine's own mirror, so they work wherever Debian does."""
    for script in BED.parent.glob("*.sh"):
        assert "://" not in script.read_text()
