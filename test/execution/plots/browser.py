"""browser.py PAGE... [--pictures PREFIX]: opens pages in headless Chromium, 1280 and 400 pixels wide, light and dark. Nothing lies on something else or
leaves the page, every picture has a size, text stands out from what is behind it, the console stays empty, and nothing is asked of a network (each
such request would be an error there). Printed, a page has its text. PREFIX.light.png and so on are what it looks like."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

WIDTHS = (1280, 400)
CHECK = """<script>
addEventListener('load', () => {
  const problems = [], box = e => e.getBoundingClientRect();
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) problems.push('the page is ' + wide + ' wide');
  const compare = list => {
    for (const [i, a] of list.entries())
      for (const b of list.slice(0, i)) {
        const p = box(a), q = box(b);
        if (!a.contains(b) && !b.contains(a) && p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 1 && q.top < p.bottom - 1)
          problems.push(a.tagName + ' ' + a.textContent.slice(0, 30) + ' lies on ' + b.tagName + ' ' + b.textContent.slice(0, 30));
      }
  };
  compare([...document.querySelectorAll('h1, h2, body > p, .wide, pre, figure, svg')]);
  for (const picture of document.querySelectorAll('svg')) {
    compare([...picture.querySelectorAll('text')]);
    if (box(picture).width < 100 || box(picture).height < 20) problems.push('a picture is small: ' + picture.getAttribute('aria-label'));
  }
  for (const image of document.querySelectorAll('img'))
    if (!image.naturalWidth) problems.push('a picture is broken: ' + image.alt);
  const light = text => {
    const [r, g, b] = text.match(/[0-9.]+/g).slice(0, 3).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = e => {
    for (; e; e = e.parentElement) {
      const color = getComputedStyle(e).backgroundColor;
      if (color != 'rgba(0, 0, 0, 0)' && color != 'transparent') return color;
    }
    return 'rgb(255, 255, 255)';
  };
  for (const e of document.querySelectorAll('h1, h2, p, td, th, pre, span, figcaption, svg text')) {
    const style = getComputedStyle(e), ink = light(e instanceof SVGElement ? style.fill : style.color), back = light(behind(e));
    if (e.textContent.trim() && (Math.max(ink, back) + 0.05) / (Math.min(ink, back) + 0.05) < 4)
      problems.push(e.tagName + ' ' + e.textContent.slice(0, 30) + ' is faint');
  }
  // On a wide screen no section leaves half of the page empty.
  if (innerWidth > 1000)
    for (const e of document.querySelectorAll('.pictures, .columns, body > section > .wide')) {
      const parts = [...e.querySelectorAll('figure, section, table, svg')];
      const right = Math.max(...parts.map(part => box(part).right));
      if (parts.length && right < box(document.body).left + 0.6 * box(document.body).width)
        problems.push((e.closest('section') || e).textContent.slice(0, 30) + ' leaves half of the page empty');
    }
  const dark = light(behind(document.body)) < 0.2;
  if (dark != matchMedia('(prefers-color-scheme: dark)').matches) problems.push('light and dark are mixed up');
  window.answer = {problems, dark, height: document.documentElement.scrollHeight};
});
</script>"""
OUTER = """<!doctype html><html><head><title>no answer</title></head><body style="margin:0">FRAMES<script>
// A page is loaded when all in it are, and what they do then is done.
addEventListener('load', () => {
  const frames = [...document.querySelectorAll('iframe')], answers = frames.map(frame => frame.contentWindow.answer);
  frames.forEach((frame, i) => frame.style.height = answers[i].height + 'px');
  document.title = 'answer ' + JSON.stringify(answers);
});
</script></body></html>"""


def chromium(folder, *flags):
    command = [shutil.which("chromium-headless-shell") or shutil.which("chromium"), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile",
               "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--disable-background-networking", "--disable-component-update",
               "--allow-file-access-from-files", "--virtual-time-budget=20000"]
    return subprocess.run([*command, *flags], capture_output=True, text=True)


def main():
    arguments = sys.argv[1:]
    prefix = arguments[arguments.index("--pictures") + 1] if "--pictures" in arguments else None
    pages = arguments[:arguments.index("--pictures")] if prefix else arguments
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        names, frames = [], ""
        for page in pages:
            with open(page, encoding="utf-8") as file:
                text = file.read()
            assert text.endswith("</body></html>\n"), page
            inner = f"inner{len(names)}.html"
            with open(os.path.join(folder, inner), "w", encoding="utf-8") as file:
                file.write(text.replace("</body>", CHECK + "</body>"))
            for width in WIDTHS:
                frames += f'<iframe src="{inner}" style="border:0;width:{width}px;height:20000px;display:block"></iframe>'
                names.append(f"{page}, {width} pixels")
        outer = os.path.join(folder, "outer.html")
        with open(outer, "w", encoding="utf-8") as file:
            file.write(OUTER.replace("FRAMES", frames))
        for scheme, flags in (("light", []), ("dark", ["--blink-settings=preferredColorScheme=0"])):
            run = chromium(folder, "--window-size=1280,900", *flags, "--dump-dom", "file://" + outer)
            answer = re.search("<title>answer (.*?)</title>", run.stdout)
            problems = [line for line in run.stderr.splitlines() if "CONSOLE" in line]
            if not answer:
                problems.append("no answer: " + run.stderr[-2000:])
            for name, said in zip(names, json.loads(answer[1]) if answer else []):
                problems += [f"{name}: {problem}" for problem in said["problems"]]
                if said["dark"] != (scheme == "dark"):
                    problems.append(f"{name}: it is not {scheme}")
            if problems:
                failed = True
                print(scheme, *problems, sep="\n", file=sys.stderr)
            if prefix:
                chromium(folder, "--window-size=1280,6000", *flags, f"--screenshot={prefix}.{scheme}.png", "file://" + outer)
        printed = os.path.join(folder, "printed.pdf")
        for page in pages:
            chromium(folder, f"--print-to-pdf={printed}", "--no-pdf-header-footer", "file://" + os.path.abspath(page))
            with open(printed, "rb") as file:
                data = file.read()
            if not data.startswith(b"%PDF") or len(data) < 10000:
                failed = True
                print(f"{page}: it cannot be printed", file=sys.stderr)
            if prefix:
                shutil.copy(printed, prefix + ".pdf")
    sys.exit(failed)


main()
