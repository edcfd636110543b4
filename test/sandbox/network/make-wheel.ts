import { execFileSync } from "node:child_process";

/** A small wheel that pip installs: one module, and a program of that name that calls its `main`. */
export function makeWheel(name: string, version: string, source: string): { name: string; content: Buffer } {
  const script = `
import io, sys, zipfile
name, version, source = sys.argv[1:]
info = f"{name}-{version}.dist-info/"
files = {
    name + ".py": source,
    info + "METADATA": f"Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n",
    info + "entry_points.txt": f"[console_scripts]\\n{name.replace('_', '-')} = {name}:main\\n",
    info + "WHEEL": "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
}
files[info + "RECORD"] = "".join(f"{file},,\\n" for file in [*files, info + "RECORD"])
buffer = io.BytesIO()
with zipfile.ZipFile(buffer, "w") as wheel:
    for file, text in files.items():
        wheel.writestr(file, text)
sys.stdout.buffer.write(buffer.getvalue())
`;
  const content = execFileSync("/usr/bin/python3", ["-c", script, name, version, source]);
  return { name: `${name}-${version}-py3-none-any.whl`, content };
}
