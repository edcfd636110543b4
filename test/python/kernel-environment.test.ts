import { describe, expect, test } from "vitest";
import { kernelEnvironment } from "../../src/python/environment/kernel-environment.ts";

const plain = { virtualEnvironment: null, condaEnvironment: null };
const inVenv = { ...plain, virtualEnvironment: "/project/.venv" };
const inConda = { ...plain, condaEnvironment: "/opt/conda/envs/data" };

describe("the environment of a kernel", () => {
  test("is the allowed part of the host's", () => {
    const env = { PATH: "/usr/bin", LANG: "C.UTF-8", UNSET: undefined, OPENAI_API_KEY: "sk-1", MINE: "1" };
    expect(kernelEnvironment(env, plain)).toEqual({ PATH: "/usr/bin", LANG: "C.UTF-8", MPLBACKEND: "agg" });
    expect(kernelEnvironment(env, plain, { allow: ["MINE"] })).toMatchObject({ MINE: "1" });
  });

  test("has the chosen virtual environment activated, its programs first", () => {
    expect(kernelEnvironment({ PATH: "/usr/bin:/bin", VIRTUAL_ENV: "/old" }, inVenv)).toMatchObject({
      PATH: "/project/.venv/bin:/usr/bin:/bin",
      VIRTUAL_ENV: "/project/.venv",
    });
  });

  test("does not activate twice", () => {
    for (const interpreter of [inVenv, inConda]) {
      const once = kernelEnvironment({ PATH: "/usr/bin" }, interpreter);
      expect(kernelEnvironment(once, interpreter)).toEqual(once);
    }
  });

  test("names no virtual environment when the chosen Python is in none", () => {
    expect(kernelEnvironment({ PATH: "/usr/bin", VIRTUAL_ENV: "/broken" }, plain)).not.toHaveProperty("VIRTUAL_ENV");
  });

  test("has the programs of the chosen conda environment first, and names that one", () => {
    const base = {
      PATH: "/usr/bin",
      CONDA_PREFIX: "/opt/conda",
      CONDA_DEFAULT_ENV: "base",
      CONDA_EXE: "/opt/conda/bin/conda",
    };
    expect(kernelEnvironment({ ...base, VIRTUAL_ENV: "/old" }, inConda)).toEqual({
      PATH: "/opt/conda/envs/data/bin:/usr/bin",
      CONDA_PREFIX: "/opt/conda/envs/data",
      CONDA_EXE: "/opt/conda/bin/conda",
      MPLBACKEND: "agg",
    });
    const active = { ...base, CONDA_PREFIX: "/opt/conda/envs/data", CONDA_DEFAULT_ENV: "data" };
    expect(kernelEnvironment(active, inConda).CONDA_DEFAULT_ENV).toBe("data");
  });

  test("has a PATH also when the host has none", () => {
    expect(kernelEnvironment({}, inVenv).PATH).toBe("/project/.venv/bin");
  });

  test("never lets matplotlib open windows, unless the user allows it", () => {
    const backend = (MPLBACKEND: string, allow: string[] = []) =>
      kernelEnvironment({ MPLBACKEND }, plain, { allow }).MPLBACKEND;
    expect(
      ["TkAgg", "module://matplotlib_inline.backend_inline", "", "svg", "Agg"].map((name) => backend(name)),
    ).toEqual(["agg", "agg", "agg", "svg", "Agg"]);
    expect(backend("TkAgg", ["MPLBACKEND"])).toBe("TkAgg");
  });

  test("leaves Jupyter kernels their backend that shows figures, unless the user allows another", () => {
    const given = (MPLBACKEND: string, allow: string[] = []) =>
      kernelEnvironment({ MPLBACKEND }, plain, { allow, showsFigures: true });
    for (const name of ["", "TkAgg", "agg", "svg"]) expect(given(name)).not.toHaveProperty("MPLBACKEND");
    expect(given("svg", ["MPLBACKEND"]).MPLBACKEND).toBe("svg");
  });
});
