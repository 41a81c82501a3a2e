// Runs notebooks' code cells under Pyodide in Node:
//   node pyodide.mjs COPY NOTEBOOKS PACKAGES...
// NOTEBOOKS is a JSON file of [name, [cell, ...]] pairs. For each it prints a line of JSON: the
// first cell that failed and what it said, the seconds in all, and the cell that took longest.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [copy, notebooks, ...packages] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${copy}/pyodide.mjs`).href);
const pyodide = await loadPyodide({
  indexURL: `${copy}/`,
  packages: ["ipython", ...packages],
  stdout: () => {},
  stderr: () => {},
});
pyodide.runPython(`
import json, os, time
os.environ["MPLBACKEND"] = "agg"
from IPython.core.interactiveshell import InteractiveShell

def run(cells):
    InteractiveShell._instance = shell = InteractiveShell()
    seconds, failed, said = [], None, None
    for number, cell in enumerate(cells):
        begun = time.time()
        ran = shell.run_cell(cell, store_history=False)
        seconds.append(time.time() - begun)
        error = ran.error_before_exec or ran.error_in_exec
        if error is not None:
            failed, said = number, f"{type(error).__name__}: {error}"
            break
    longest = max(range(len(seconds)), key=seconds.__getitem__)
    return json.dumps({
        "failed": failed, "said": said, "seconds": round(sum(seconds), 1),
        "longest": longest, "longest_seconds": round(seconds[longest], 1),
    })
`);
const run = pyodide.globals.get("run");
for (const [name, cells] of JSON.parse(readFileSync(notebooks, "utf-8"))) {
  console.log(JSON.stringify({ name, ...JSON.parse(run(pyodide.toPy(cells))) }));
}
process.exit(0); // its workers would keep Node waiting
