"""The page in headless Chromium: it opens without an error, sorts, points, and runs nothing else."""

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess

import pytest

from commands import call

CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.once,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium here (Debian's package of that name)"),
]

HOSTILE = '"><svg onload=window.hurt=1><script>window.hurt=2<!--.edges'
DRIVER = """
const told = {}, one = (selector) => document.querySelector(selector);
const names = () => [...document.querySelectorAll("#networks tbody th")].map((cell) => cell.dataset.v);
const heading = (text) => [...document.querySelectorAll("#networks button")].find(
  (button) => button.textContent === text);
const over = (part) => part.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
const here = () => [...document.querySelectorAll(".here")].map((part) => part.dataset.n ?? part.id).join(" ");
heading("N").click();
told.ascending = names();
heading("N").click();
told.descending = names();
told.said = heading("N").closest("th").getAttribute("aria-sort");
over(one("#points [data-n='1']"));
told.pointedAtPoint = [here(), one("#pointed").textContent];
over(one("#n2"));
told.pointedAtRow = here();
one("#points .front").focus();
told.focused = [here(), document.activeElement.dataset.n];
told.line = one("#line").getAttribute("points").split(" ").length;
const places = () => [...document.querySelectorAll("#points .point")].map(
  (point) => point.getAttribute("transform"));
const before = places().join();
one("#x").selectedIndex = 3;
one("#x").dispatchEvent(new Event("change", { bubbles: true }));
told.moved = places().join() !== before;
told.axes = [...document.querySelectorAll(".axis:not([hidden]) .name")].map((name) => name.textContent);
told.hurt = window.hurt ?? null;
const result = document.createElement("pre");
result.id = "told";
result.textContent = JSON.stringify(told);
document.body.append(result);
"""


def fingerprint(text):
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def opened(page, folder, *options):
    """The page's text after its scripts have run, and what the browser said on its console."""
    words = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom", *options]
    profile = f"--user-data-dir={folder / 'profile'}"
    run = subprocess.run(
        [CHROMIUM, *words, profile, page.as_uri()], capture_output=True, text=True, timeout=60, check=True
    )
    return run.stdout, [line for line in run.stderr.splitlines() if "CONSOLE" in line]


WIDTHS = """<iframe src="page.html"></iframe><pre id="told"></pre><script>
const frame = document.querySelector("iframe"), told = [];
frame.style.height = "900px";
frame.addEventListener("load", () => {
  const page = frame.contentDocument;
  for (const part of page.querySelectorAll("details")) part.open = true;
  for (const width of [1280, 390]) {
    frame.style.width = width + "px";
    const parts = [...page.querySelectorAll("main *, header *")].filter((part) => !part.closest("svg"));
    const { clientWidth: room, scrollWidth: taken } = page.documentElement;
    const cut = (part) => part.clientWidth && part.scrollWidth > part.clientWidth + 1;
    const beyond = parts.filter((part) => part.getBoundingClientRect().right > room || cut(part));
    told.push([width, taken - room, beyond.map((part) => part.outerHTML.slice(0, 80))]);
  }
  document.querySelector("pre").textContent = JSON.stringify(told);
});
</script>"""


def test_nothing_is_beyond_the_edge_of_a_desk_or_of_a_phone(folder):
    words = ["slimfly", "torus", "fattree", "graph", "equality", "cayley", "--endpoints", "400", "--no-study"]
    call("design", *words, "--router-radix", "16", "--evaluations", "30", "--report", "page.html", "-q")
    (folder / "widths.html").write_text(WIDTHS)
    found, _ = opened(folder.resolve() / "widths.html", folder, "--allow-file-access-from-files")
    told = json.loads(html.unescape(re.search('<pre id="told">(.*?)</pre>', found)[1]))
    assert told == [[1280, 0, []], [390, 0, []]]


def test_the_page_works_in_a_browser(folder):
    (folder / HOSTILE).write_text("0 1\n1 2\n2 3\n3 0\n")
    specs = ["slimfly(q=5,p=4)", "torus(dims=4x4)", "dragonfly(p=2,a=4,h=2)", f"./{HOSTILE}"]
    call("evaluate", *specs, "--report", "page.html", "-q")
    page = folder.resolve() / "page.html"
    text = page.read_text()
    allowed = re.sub("(script-src )", rf"\1'{fingerprint(DRIVER)}' ", text, count=1)
    page.write_text(allowed.replace("</body>", f"<script>{DRIVER}</script></body>"))
    found, console = opened(page, folder)
    assert console == []
    told = json.loads(html.unescape(re.search('<pre id="told">(.*?)</pre>', found)[1]))
    assert told["hurt"] is None
    assert len(told["ascending"]) == 4
    assert told["ascending"][0] == f"./{HOSTILE}"
    assert told["descending"] == told["ascending"][::-1]
    assert told["said"] == "descending"
    assert told["pointedAtPoint"][0].split() == ["1", "1", "c1"]
    assert told["pointedAtPoint"][1].startswith(("slimfly", "torus", "dragonfly"))
    assert told["pointedAtRow"].split() == ["2", "2", "c2"]
    assert told["focused"][0].split()[0] == told["focused"][1]
    assert told["line"] > 1
    assert told["moved"]
    assert len(told["axes"]) == 2
