"""browser.py PAGE [PICTURE]: opens a page in headless Chromium, 1280 and 400 pixels wide. Nothing lies on something else or
leaves the page, the console stays empty, and nothing is asked of a network (each such request would be an error there).
PICTURE.1280.png and PICTURE.400.png are what it looks like."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

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
  for (const picture of document.querySelectorAll('svg')) compare([...picture.querySelectorAll('text')]);
  for (const image of document.querySelectorAll('img'))
    if (!image.naturalWidth) problems.push('a picture is broken: ' + image.alt);
  parent.postMessage({problems, height: document.documentElement.scrollHeight}, '*');
});
</script>"""

chromium = shutil.which("chromium")
with open(sys.argv[1], encoding="utf-8") as file:
    page = file.read()
assert page.endswith("</body></html>\n")
failed = False
for width in (1280, 400):
    with tempfile.TemporaryDirectory() as folder:
        inner, outer = os.path.join(folder, "inner.html"), os.path.join(folder, "outer.html")
        with open(inner, "w", encoding="utf-8") as file:
            file.write(page.replace("</body>", CHECK + "</body>"))
        with open(outer, "w", encoding="utf-8") as file:
            file.write(f"""<!doctype html><html><head><title>no answer</title></head><body style="margin:0">
<iframe src="inner.html" style="border:0;width:{width}px;height:20000px"></iframe><script>
addEventListener('message', m => {{ document.title = 'answer ' + JSON.stringify(m.data.problems);
document.querySelector('iframe').style.height = m.data.height + 'px'; }});
</script></body></html>""")
        command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={folder}/profile",
                   f"--window-size={max(width, 600)},900", "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr",
                   "--disable-background-networking", "--disable-component-update", "--virtual-time-budget=20000"]
        run = subprocess.run(command + ["--dump-dom", "file://" + outer], capture_output=True, text=True)
        if len(sys.argv) > 2:
            command[6] = f"--window-size={max(width, 600)},{2400 if width > 600 else 5200}"
            subprocess.run(command + [f"--screenshot={sys.argv[2]}.{width}.png", "file://" + outer], capture_output=True)
    answer = re.search("<title>(.*?)</title>", run.stdout)
    console = [line for line in run.stderr.splitlines() if "CONSOLE" in line]
    if not answer or answer[1] != "answer []" or console:
        failed = True
        print(f"{width} pixels: {answer[1] if answer else run.stderr[-2000:]}", *console, sep="\n", file=sys.stderr)
sys.exit(failed)
