// Compiles what this line of Python imports in a copy of Pyodide, by that Python itself in Node:
//   node compile.mjs COPY "import numpy, scipy"
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [copy, line] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${copy}/pyodide.mjs`).href);
const pyodide = await loadPyodide({ indexURL: `${copy}/` });
pyodide.mountNodeFS("/copy", copy);
await pyodide.loadPackagesFromImports(line);
pyodide.runPython(line);
pyodide.runPython(readFileSync(new URL("compiled.py", import.meta.url), "utf-8"));
pyodide.runPython(`
import site, sys

imported = {getattr(module, "__file__", None) for module in sys.modules.values()}
for wheel in Path("/copy").glob("*.whl"):
    add_compiled(wheel, site.getsitepackages()[0], imported)
library = next(path for path in sys.path if path.endswith(".zip"))
add_compiled(Path("/copy/python_stdlib.zip"), library, imported)
`);
process.exit(0); // its workers would keep Node waiting
