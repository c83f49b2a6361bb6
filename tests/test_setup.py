"""The set-up's scripts: what they find, and the sentence they stop with."""

import glob
import os
import re
import stat
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PACKAGES = ("referee", "vision", "device", "web")
Machine = Callable[..., Path]


def write_tool(folder: Path, name: str, body: str) -> None:
    """Write an executable shell script `name` into `folder`."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Return a maker of a bare machine: a folder with only the shell's own tools and the given scripts."""

    def make(**tools: str) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir()
        for name in ("sh", "dirname", "cat", "rm", "sed", "cut"):
            (folder / name).symlink_to(f"/bin/{name}" if Path(f"/bin/{name}").exists() else f"/usr/bin/{name}")
        for name, body in tools.items():
            write_tool(folder, name.replace("__", "-").replace("_dot_", "."), body)
        return folder

    return make


def call(script: Path, path: Path, *words: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a script of tools/ with `path` as the whole PATH."""
    environment = {"PATH": str(path), "TMPDIR": str(path.parent), **settings}
    return subprocess.run([script, *words], env=environment, capture_output=True, text=True, check=False)


def test_the_python_of_the_machine_is_found_when_it_is_new_enough(machine: Machine, repository: Path) -> None:
    path = machine(python3=f'exec {sys.executable} "$@"')
    found = call(repository / "tools/find_python", path)
    assert found.returncode == 0
    assert Path(found.stdout.strip()).samefile(sys.executable)


def test_a_shim_that_does_not_run_is_passed_over(machine: Machine, repository: Path) -> None:
    path = machine(python3="echo no such version >&2; exit 127", python3_dot_12=f'exec {sys.executable} "$@"')
    assert call(repository / "tools/find_python", path).returncode == 0


def test_a_python_too_old_is_named_in_one_sentence(machine: Machine, repository: Path) -> None:
    path = machine(python3='case "$2" in *platform*) echo 3.9.2;; *) echo /usr/bin/python3; exit 1;; esac')
    told = call(repository / "tools/find_python", path)
    assert told.returncode == 1
    assert told.stderr.startswith("undercup: Undercup needs Python 3.11 or newer, and here is only 3.9.2.")
    assert len(told.stderr.splitlines()) == 1


def test_no_python_at_all_says_what_to_install(machine: Machine, repository: Path) -> None:
    told = call(repository / "tools/find_python", machine())
    assert told.returncode == 1
    assert "sudo apt-get install python3 python3-venv" in told.stderr


def test_a_browser_is_one_that_tells_its_version(machine: Machine, repository: Path) -> None:
    path = machine(chromium="exit 1", google__chrome="echo Chrome 140")
    assert call(repository / "tools/find_browser", path).stdout.strip() == str(path / "google-chrome")


def test_a_guest_without_rights_is_told_how_to_install_a_browser(machine: Machine, repository: Path) -> None:
    path = machine(id="echo 1000", apt__get="exit 1")
    told = call(repository / "tools/find_browser", path, "--install")
    assert told.returncode == 1
    assert "Run: sudo apt-get install --no-install-recommends chromium" in told.stderr


def test_root_installs_a_missing_browser_from_debian(machine: Machine, repository: Path) -> None:
    path = machine(id="echo 0")
    write_tool(path, "apt-get", f"printf '#!/bin/sh\\n' >{path}/chromium; /bin/chmod +x {path}/chromium")
    found = call(repository / "tools/find_browser", path, "--install")
    assert found.stdout.strip() == str(path / "chromium")


def test_an_install_without_a_network_says_so(machine: Machine, repository: Path) -> None:
    path = machine(id="echo 0", apt__get="echo Could not resolve >&2; exit 100")
    told = call(repository / "tools/find_browser", path, "--install")
    assert told.returncode == 1
    assert "Is there a network? Then run: sudo apt-get install" in told.stderr


def every_pin(repository: Path) -> str:
    """Return all files of pinned versions as one text."""
    return "".join(path.read_text() for path in sorted(repository.glob("constraints*.txt")))


def test_the_pins_name_no_place_to_fetch_from_and_leave_large_things_to_their_own(repository: Path) -> None:
    assert "://" not in every_pin(repository)
    pins = (repository / "constraints.txt").read_text()
    assert not re.search(r"^(torch|build123d|vtk)==", pins, re.MULTILINE)


def test_every_declared_dependency_is_pinned_and_has_its_reason(repository: Path) -> None:
    project = (repository / "pyproject.toml").read_text()
    rows = re.findall(r'^  "([a-z0-9.-]+)>=[^"]*",(.*)$', project, re.MULTILINE)
    pins = every_pin(repository)
    assert len(rows) >= 10
    for name, rest in rows:
        assert re.search(rf"^{name.replace('.', '-')}==", pins, re.MULTILINE), name
        assert rest.strip().startswith("#"), name


def test_make_alone_lists_every_target(repository: Path) -> None:
    listed = subprocess.run(["make", "-s"], cwd=repository, capture_output=True, text=True, check=True, env=plain())
    named = re.findall(r"^([a-z0-9-]+):.*##", (repository / "Makefile").read_text(), re.MULTILINE)
    assert {"setup", "run", "test", "train", "lock", "clean"} <= set(named)
    for target in named:
        assert f"make {target}" in listed.stdout


def plain() -> dict[str, str]:
    """Return the environment without what an outer make put there."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MAKE") and name != "MFLAGS"}


@pytest.mark.browser
def test_the_browser_of_the_tests_draws_a_page(browser: "Browser") -> None:
    with browser.new_context() as context:
        page = context.new_page()
        page.set_content("<title>the tray</title>")
        assert page.title() == "the tray"


def test_what_is_no_python_in_the_packages_goes_into_the_wheel(repository: Path) -> None:
    settings = tomllib.loads((repository / "pyproject.toml").read_text())["tool"]["setuptools"]
    packed = {
        f"{package}/{name}"
        for package, patterns in settings["package-data"].items()
        for pattern in patterns
        for name in glob.glob(pattern, root_dir=repository / package, recursive=True)
    }
    kept = subprocess.run(["git", "ls-files", *PACKAGES], cwd=repository, capture_output=True, text=True, check=True)
    rest = [name for name in kept.stdout.splitlines() if not name.endswith((".py", "README.md"))]
    assert [name for name in rest if name not in packed] == []
