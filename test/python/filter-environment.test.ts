import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  filterEnvironment,
  holdsLogin,
  kernelEnvironment,
  looksSecret,
  withheldNames,
} from "../../src/python/environment/kernel-environment.ts";
import { neverPassed, passedVariables } from "../../src/python/environment/passed-variables.ts";
import { newestPython } from "../environment/pythons.ts";

const tableNames = passedVariables.flatMap(({ names }) => names);
const passing = (env: Record<string, string>, allow: readonly string[] = []) =>
  Object.keys(filterEnvironment(env, { allow }));

describe("what passes to a kernel", () => {
  test("has the variables that programs and Python need, and no others", () => {
    const env = {
      PATH: "/bin",
      HOME: "/h",
      LC_ALL: "C",
      XDG_SESSION_TYPE: "x11",
      PI_SESSION_FILE: "/s",
      CUDA_HOME: "/c",
    };
    expect(filterEnvironment({ ...env, EDITOR: "vi", AWS_PROFILE: "work", SSH_AUTH_SOCK: "/s", PWD: "/w" })).toEqual(
      env,
    );
  });

  test("can be extended by exact names and by prefixes", () => {
    const env = {
      AWS_PROFILE: "a",
      AWS_REGION: "b",
      AWS_SECRET_ACCESS_KEY: "c",
      AWSOME: "d",
      MINE: "e",
      MINE_TOO: "f",
    };
    expect(passing(env, ["AWS_*", "MINE"])).toEqual(["AWS_PROFILE", "AWS_REGION", "MINE"]);
    expect(passing(env, ["*"])).toEqual(["AWS_PROFILE", "AWS_REGION", "AWSOME", "MINE", "MINE_TOO"]);
  });

  test("has a secret in it only when that was allowed by its exact name", () => {
    const env = { OPENAI_API_KEY: "sk-1", PI_FANCY_TOKEN: "t", LC_PASSWORD: "p" };
    expect(passing(env)).toEqual([]);
    expect(passing(env, ["OPENAI_*", "PI_*", "LC_*", "*"])).toEqual([]);
    expect(passing(env, ["OPENAI_API_KEY"])).toEqual(["OPENAI_API_KEY"]);
  });

  test("never has Granary's own tokens, nor variables that break a kernel, even if allowed", () => {
    const names = neverPassed.map(({ name }) => name);
    const env = Object.fromEntries(names.map((name) => [name, "1"]));
    expect(names).toEqual(expect.arrayContaining(["PI_PYTHON_GATEWAY_TOKEN", "PI_TOOL_BRIDGE_TOKEN", "PYTHONHOME"]));
    expect(passing(env, [...names, "*"])).toEqual([]);
  });

  test("has no address with a login in it, but for proxies and exact names", () => {
    const login = "https://user:secret@packages.example/simple";
    const env = {
      PIP_INDEX_URL: login,
      UV_INDEX: `private=${login}`,
      PIP_EXTRA_INDEX_URL: "https://packages.example/simple https://token@other.example/simple",
      PI_PYTHON_GATEWAY_URL: "http://127.0.0.1:8888/?token=abc",
      UV_DEFAULT_INDEX: "https://packages.example/simple/@scope",
      HTTPS_PROXY: "http://me:pass@proxy.example:3128",
      https_proxy: "http://me:pass@proxy.example:3128",
    };
    expect(passing(env)).toEqual(["UV_DEFAULT_INDEX", "HTTPS_PROXY", "https_proxy"]);
    expect(passing(env, ["PIP_INDEX_URL", "UV_*"])).toContain("PIP_INDEX_URL");
    expect(passing(env, ["PIP_INDEX_URL", "UV_*"])).not.toContain("UV_INDEX");
  });

  test("has no secret that a project's file allows, not even by its exact name", () => {
    const env = {
      MY_API_KEY: "k",
      PIP_INDEX_URL: "https://user:secret@packages.example/simple",
      DATABASE_URL: "postgres://user:secret@db.example/main",
      TEAM_NAME: "red",
      HTTPS_PROXY: "http://me:pass@proxy.example:3128",
    };
    const options = { allow: Object.keys(env), evenSecrets: false };
    expect(Object.keys(filterEnvironment(env, options))).toEqual(["TEAM_NAME", "HTTPS_PROXY"]);
    expect(withheldNames(env, options)).toEqual(["DATABASE_URL", "MY_API_KEY", "PIP_INDEX_URL"]);
  });

  test("withheld variables can be named, without their values", () => {
    const env = { PATH: "/bin", MY_TOKEN: "t", EDITOR: "vi", PYTHONHOME: "/p", UNSET: undefined };
    expect(withheldNames(env)).toEqual(["EDITOR", "MY_TOKEN", "PYTHONHOME"]);
    expect(withheldNames(env, { allow: ["EDITOR"] })).toEqual(["MY_TOKEN", "PYTHONHOME"]);
  });
});

describe("a name that looks secret", () => {
  test.each([
    ..."OPENAI_API_KEY ANTHROPIC_API_KEY GEMINI_API_KEY GOOGLE_API_KEY GROQ_API_KEY MISTRAL_API_KEY XAI_API_KEY".split(
      " ",
    ),
    ..."AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AZURE_CLIENT_SECRET AZURE_OPENAI_KEY".split(" "),
    ..."GOOGLE_APPLICATION_CREDENTIALS GITHUB_TOKEN GH_TOKEN NPM_TOKEN HF_TOKEN NVIDIA_API_KEY CONDA_TOKEN".split(" "),
    ..."PGPASSWORD MYSQL_PWD DB_PASS SSHPASS UV_PUBLISH_PASSWORD UV_INDEX_PRIVATE_PASSWORD SLURM_JWT SENTRY_DSN".split(
      " ",
    ),
    ..."PI_ACCESSTOKEN PI_apiKey pi_secret_2 PI_TOKEN2 SECRETKEYBASE PI_AUTH XDG_SESSION_COOKIE DJANGO_SECRET_KEY".split(
      " ",
    ),
  ])("%s", (name) => {
    expect(looksSecret(name)).toBe(true);
  });

  test.each(
    "XDG_SESSION_TYPE XDG_RUNTIME_DIR PI_SESSION_FILE PI_TOOL_BRIDGE_SESSION PI_KEYBINDINGS LC_ALL CUDA_VISIBLE_DEVICES UV_KEYRING_PROVIDER".split(
      " ",
    ),
  )("is not %s", (name) => {
    expect(looksSecret(name)).toBe(false);
  });

  test("is not in the table", () => {
    expect(tableNames.filter((name) => looksSecret(name))).toEqual([]);
  });
});

describe("an address with a login", () => {
  test.each([
    "https://user:secret@packages.example/simple",
    "https://token@packages.example/simple",
    "http://127.0.0.1:8888/?token=abc",
    "https://packages.example/simple?page=1&accessToken=abc",
    "https://conda.example/t/ab-12345678-9abc/channel",
    "https://conda.example/t/ab-12345678-9abc",
    "conda-forge,https://repo.example/conda/t/secret/channel/linux-64",
    "https://wheels.example/simple https://account.blob.example/wheels?sv=2024-11-04&sig=abc%3D",
    "https://bucket.example/simple?X-Amz-Credential=abc&X-Amz-Signature=abc",
    "https://bucket.example/simple?Expires=1&Signature=abc",
    "https://app.example/#access_token=abc&expires_in=60",
    "https://app.example/#/start?id_token=abc",
    "jdbc:sqlserver://db.example;user=ada;password=abc",
  ])("%s", (value) => {
    expect(holdsLogin(value)).toBe(true);
  });

  test.each([
    "https://packages.example/simple/@scope",
    "https://packages.example/simple?page=2&sort=author&design=new&sigma=1",
    "git+https://code.example/team/tool.git@v1.2#egg=tool&subdirectory=python",
    "https://wheels.example/tool-1.0-py3-none-any.whl#sha256=0123456789abcdef",
    "https://conda.example/t/",
    "https://conda.example/channel/t.html",
    "https://forum.example/t/a-question-about-tokens/1234?page=2",
    "file:///t/wheels",
    "/t/wheels/token=abc",
    "https://h/tokens/list",
  ])("is not %s", (value) => {
    expect(holdsLogin(value)).toBe(false);
  });
});

describe("in any environment, however hostile", () => {
  const words = fc.constantFrom(
    "PI",
    "XDG",
    "LC",
    "UV",
    "PIP",
    "API",
    "KEY",
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "HOME",
    "DIR",
    "x",
  );
  const composed = fc.array(words, { minLength: 1, maxLength: 5 }).map((parts) => parts.join("_"));
  const listed = fc.constantFrom(...tableNames.map((name) => name.replace("*", "")));
  const names = fc.oneof(
    composed,
    listed,
    fc.tuple(listed, composed).map((parts) => parts.join("")),
    fc.string(),
  );
  const values = fc.oneof(fc.string(), fc.constant("https://user:secret@host/"), fc.constant(undefined));
  const environments = fc.dictionary(names, values);
  const allowed = fc.array(
    fc.oneof(
      names,
      names.map((name) => `${name}*`),
    ),
  );

  test("nothing that looks secret passes, unless it is allowed by its exact name", () => {
    fc.assert(
      fc.property(environments, allowed, (env, allow) => {
        const passed = Object.keys(filterEnvironment(env, { allow }));
        expect(passed.filter((name) => looksSecret(name) && !allow.includes(name))).toEqual([]);
      }),
    );
  });

  test("nothing that looks secret passes for a source that may not allow secrets", () => {
    fc.assert(
      fc.property(environments, allowed, (env, allow) => {
        const passed = Object.entries(filterEnvironment(env, { allow, evenSecrets: false }));
        const mayHoldLogin = passedVariables.filter(({ withLogin }) => withLogin).flatMap((group) => group.names);
        const secrets = passed.filter(([name, value]) => looksSecret(name) || holdsLogin(value));
        expect(secrets.filter(([name]) => !mayHoldLogin.includes(name))).toEqual([]);
      }),
    );
  });

  test("each variable either passes unchanged or is withheld", () => {
    fc.assert(
      fc.property(environments, allowed, (env, allow) => {
        const passed = filterEnvironment(env, { allow });
        const given = Object.entries(env).filter(([, value]) => value !== undefined);
        expect([...Object.keys(passed), ...withheldNames(env, { allow })].sort()).toEqual(
          given.map(([name]) => name).sort(),
        );
        for (const [name, value] of Object.entries(passed)) expect(value).toBe(env[name]);
      }),
    );
  });

  test("filtering twice is filtering once", () => {
    fc.assert(
      fc.property(environments, allowed, (env, allow) => {
        const once = filterEnvironment(env, { allow });
        expect(filterEnvironment(once, { allow })).toEqual(once);
      }),
    );
  });

  test("a real Python sees none of the secrets", () => {
    const secrets = [
      "OPENAI_API_KEY",
      "PI_PYTHON_GATEWAY_TOKEN",
      "PI_X_SECRET",
      "LC_TOKEN",
      "PIP_PASSWORD",
      "DATABASE_URL",
    ];
    const hostile = { ...process.env, ...Object.fromEntries(secrets.map((name) => [name, "hunter2"])) };
    const env = kernelEnvironment(hostile, { virtualEnvironment: null, condaEnvironment: null });
    const code = "import os; print(dict(os.environ))";
    const seen = execFileSync(newestPython().path, ["-c", code], { env, encoding: "utf8" });
    expect(seen).toContain("'PATH'");
    expect(seen).not.toContain("hunter2");
  });
});
