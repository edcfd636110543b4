import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";

/** Packages with the names of the real ones, so that setting up needs no network. */
export function makeWheels(folder: string, python: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync(python, ["-c", script, folder]);
}

const script = `
import sys, zipfile

def wheel(name, version, files):
    info = "%s-%s.dist-info" % (name, version)
    files = dict(files)
    files[info + "/METADATA"] = "Metadata-Version: 2.1\\nName: %s\\nVersion: %s\\n" % (name, version)
    files[info + "/WHEEL"] = "Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    files[info + "/RECORD"] = "".join("%s,,\\n" % path for path in [*files, info + "/RECORD"])
    with zipfile.ZipFile("%s/%s-%s-py3-none-any.whl" % (sys.argv[1], name, version), "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)

wheel("ipykernel", "7.1.0", {"ipykernel/__init__.py": "", "ipykernel/kernelapp.py": "print('hello from ipykernel')\\n"})
wheel("jupyter_kernel_gateway", "3.0.1", {"kernel_gateway/__init__.py": "", "kernel_gateway/gatewayapp.py": ""})
wheel("seaborn", "0.13.2", {"seaborn.py": ""})
`;
