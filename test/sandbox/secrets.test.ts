import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRuntime } from "../../src/runtime/runtime.ts";
import { openSandbox } from "../../src/sandbox/sandbox.ts";
import { hiddenPaths } from "../../src/sandbox/secrets/secret-paths.ts";
import { createToolbox } from "../../src/tools/toolbox.ts";
import { newestPython } from "../environment/pythons.ts";
import { py } from "../kernel/py.ts";
import { engineFor, systemPython, World, whyNotTested } from "./world.ts";

const atHome = [
  ...[".ssh/id_rsa", ".aws/credentials", ".granary/hub/hub.json", ".s3cfg", ".cursor/mcp.json", ".python_history"],
  ...[".local/share/fish/fish_history", ".local/share/kwalletd/kdewallet.kwl", "snap/firefox/common/logins.json"],
  ...[".var/app/org.mozilla.firefox/.mozilla/logins.json", ".config/rclone/rclone.conf", ".cache/huggingface/token"],
  ...[".m2/settings.xml", ".gradle/gradle.properties", ".gem/credentials", ".modal.toml", ".dbt/profiles.yml"],
  ...[".config/heroku/token", ".config/composer/auth.json", ".config/stripe/config.toml"],
  ...[".jupyter/jupyter_server_config.json", ".jupyter/jupyter_notebook_config.py"],
];
/** Named by variables. */
const moved = [
  ...["moved/config/gh/hosts.yml", "moved/kube/config", "moved/other/kube", "moved/gnupg/private.key", "moved/pgpass"],
  ...[
    "moved/cargo/credentials.toml",
    "moved/zsh/.zsh_history",
    "moved/history",
    "moved/token",
    "moved/age",
    "moved/gha",
  ],
  ...["moved/vault", "moved/docker/key.pem", "moved/runtime/kernel.json", "moved/psql", "moved/mysql", "moved/node"],
  ...["moved/python", "moved/modal.toml", "moved/gradle/gradle.properties", "moved/jupyter/jupyter_server_config.py"],
];

for (const engine of ["landlock", "bwrap"] as const) {
  describe.skipIf(whyNotTested(engine) !== null)(`secrets, in ${engine}`, () => {
    let world: World;
    beforeAll(() => {
      world = new World(true);
      for (const name of [...atHome, ...moved]) {
        mkdirSync(dirname(world.path(`home/${name}`)), { recursive: true });
        writeFileSync(world.path(`home/${name}`), "secret");
      }
    });
    afterAll(() => world.remove());

    test("in the working folder are hidden from the tools for files as well, to read and to write", async () => {
      mkdirSync(world.path("project/dotfiles/ssh"), { recursive: true });
      mkdirSync(world.path("project/keys"), { recursive: true });
      writeFileSync(world.path("project/keys/tool.json"), "secret");
      writeFileSync(world.path("project/dotfiles/ssh/id_rsa"), "secret");
      rmSync(world.path("home/.ssh"), { recursive: true });
      symlinkSync("../project/dotfiles/ssh", world.path("home/.ssh"));
      await using runtime = await createRuntime({
        cwd: world.path("project"),
        env: {
          ...{ PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("project/state/granary") },
          AWS_SHARED_CREDENTIALS_FILE: "keys/tool.json",
        },
        settings: { python: { sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path } },
      });
      await using toolbox = await createToolbox({ runtime });
      const call = async (name: string, args: Record<string, string>) =>
        JSON.stringify(await toolbox.find(name)?.run(args).catch(String));
      for (const path of ["keys/tool.json", "dotfiles/ssh/id_rsa", "dotfiles/ssh/authorized_keys"]) {
        expect(await call("read", { path })).toContain("is protected");
        expect(await call("write", { path, content: "x" })).toContain("is protected");
      }
      expect(await call("write", { path: "state/granary/settings.json", content: "{}" })).toContain("is protected");
      expect(existsSync(world.path("project/state/granary/settings.json"))).toBe(false);
      rmSync(world.path("home/.ssh"));
      mkdirSync(world.path("home/.ssh"));
      writeFileSync(world.path("home/.ssh/id_rsa"), "secret");
    });

    test("in the working folder stay hidden when the folder above them is renamed", async () => {
      mkdirSync(world.path("project/keys"), { recursive: true });
      writeFileSync(world.path("project/keys/key.json"), "secret");
      await using runtime = await createRuntime({
        cwd: world.path("project"),
        env: {
          ...{ PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
          GOOGLE_APPLICATION_CREDENTIALS: world.path("project/keys/key.json"),
        },
        settings: { python: { sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path } },
      });
      const rename = `import os; os.rename("keys", "moved")`;
      expect((await runtime.session().run(rename).result).error?.name).toBe("OSError");
      expect((await runtime.session().run(`open("keys/key.json").read()`).result).output).not.toContain("'secret'");
    });

    test("behind a link in the working folder stay hidden when a cell has replaced the link", async () => {
      mkdirSync(world.path("project/behind"), { recursive: true });
      writeFileSync(world.path("project/behind/real.json"), "secret");
      symlinkSync("behind/real.json", world.path("project/linked.json"));
      await using runtime = await createRuntime({
        cwd: world.path("project"),
        env: {
          ...{ PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
          GOOGLE_APPLICATION_CREDENTIALS: world.path("project/linked.json"),
        },
        settings: { python: { sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path } },
      });
      const replace = `import os; os.remove("linked.json"); os.symlink("/etc/hosts", "linked.json"); print("replaced")`;
      expect((await runtime.session().run(replace).result).output).toBe("replaced\n");
      await runtime.session().reset().result;
      const read = (name: string) => runtime.session().run(`open(${JSON.stringify(name)}).read()`).result;
      expect((await read("behind/real.json")).output).not.toContain("'secret'");
      expect((await read("linked.json")).output).not.toContain("localhost");
    });

    test("are hidden where variables name them relative to the working folder, and lists of them", async () => {
      const names = ["keys/kube", "own:kube", "conf/gh/hosts.yml", "gnupg/key", "plain:key.json", "hist"];
      for (const name of names) {
        mkdirSync(dirname(world.path(`project/${name}`)), { recursive: true });
        writeFileSync(world.path(`project/${name}`), "secret");
      }
      writeFileSync(world.path("project/kube"), "secret");
      await using runtime = await createRuntime({
        cwd: world.path("project"),
        env: {
          ...{ PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
          ...{ KUBECONFIG: "keys/kube::./kube", XDG_CONFIG_HOME: "conf", GNUPGHOME: "sub/../gnupg", HISTFILE: "hist" },
          ...{ GOOGLE_APPLICATION_CREDENTIALS: "plain:key.json", DOCKER_CONFIG: "", NETRC: "~/moved/pgpass" },
        },
        settings: { python: { sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path } },
      });
      const look = py`
        def reads(path):
            try:
                return open(path).read() == "secret"
            except OSError:
                return False
        names = ${JSON.stringify([...names, "kube", world.path("home/moved/pgpass")])}
        print([name for name in names if reads(name)])
        import subprocess
        print(subprocess.run("cat keys/kube kube", shell=True, capture_output=True, text=True).stdout)
      `;
      expect((await runtime.session().run(look).result).output).toBe("['own:kube']\n\n");
    });

    test.skipIf(engine !== "landlock")("that appear or are replaced after the start stay hidden", async () => {
      const home = world.path("later/home");
      const key = world.path("later/keys/key.json");
      for (const folder of [`${home}/.config/other`, `${home}/dotfiles/share`, `${home}/.local`, dirname(key)])
        mkdirSync(folder, { recursive: true });
      symlinkSync("../dotfiles/share", `${home}/.local/share`);
      for (const path of [key, `${home}/.config/other/before`]) writeFileSync(path, "secret");
      await using runtime = await createRuntime({
        cwd: world.path("project"),
        env: {
          ...{ PATH: "/usr/bin:/bin", HOME: home, GRANARY_HOME: `${home}/granary` },
          GOOGLE_APPLICATION_CREDENTIALS: key,
        },
        settings: { python: { sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path } },
      });
      expect((await runtime.session().run("1").result).status).toBe("ok");
      const made = [".config/gh/hosts.yml", ".netrc", ".cargo/credentials", ".local/share/keyrings/login"];
      for (const path of made.map((name) => `${home}/${name}`)) {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, "secret");
      }
      writeFileSync(`${key}.new`, "secret");
      renameSync(`${key}.new`, key);
      const look = py`
        def reads(path):
            try:
                return open(path).read() == "secret"
            except OSError:
                return False
        names = ${JSON.stringify([...made, ".config/other/before"].map((name) => `${home}/${name}`))}
        print([name for name in [*names, ${JSON.stringify(key)}] if reads(name)])
      `;
      expect((await runtime.session().run(look).result).output).toBe(`['${home}/.config/other/before']\n`);
    });

    test("of a hub stay out of reach: its files, their names, and sockets, also of a hub that starts later", async () => {
      mkdirSync(world.path("home/granary/hub"), { recursive: true });
      writeFileSync(world.path("home/granary/hub/hub.json"), "secret");
      const servers: Server[] = [];
      const listen = async (name: string): Promise<string> => {
        const server = createServer((socket) => socket.end("CONNECTED"));
        servers.push(server);
        const path = world.path(`home/granary/hub/${name}`);
        await new Promise<void>((resolve, reject) => server.on("error", reject).listen(path, resolve));
        return path;
      };
      try {
        const sockets = [await listen("hub.sock")];
        await using runtime = await createRuntime({
          cwd: world.path("project"),
          env: { PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
          settings: { python: { sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path } },
        });
        await runtime.session().run("1").result;
        sockets.push(await listen("later.sock"));
        const reach = py`
          import os, socket
          print(sorted(os.listdir(${JSON.stringify(world.path("home/granary"))})))
          for path in ${JSON.stringify(sockets)}:
              with socket.socket(socket.AF_UNIX) as client:
                  try:
                      client.connect(path)
                      print(client.recv(100))
                  except OSError:
                      print("out of reach")
        `;
        expect((await runtime.session().run(reach).result).output).toBe("['sandbox']\nout of reach\nout of reach\n");
      } finally {
        for (const server of servers) server.close();
        rmSync(world.path("home/granary/hub"), { recursive: true });
      }
    });

    test("in the home folder of the account are hidden where HOME is another folder", () => {
      const account = world.path("account");
      for (const name of [".aws/credentials", ".granary/hub/hub.json", "notes"]) {
        mkdirSync(dirname(`${account}/${name}`), { recursive: true });
        writeFileSync(`${account}/${name}`, "secret");
      }
      const sandbox = openSandbox(
        {
          ...{ mode: "workspace", network: "off", cwd: world.path("project"), write: [], show: [], sockets: [] },
          ...{ userHome: world.path("home"), granaryHome: world.path("home/granary"), accountHome: account },
        },
        engineFor(engine, systemPython),
      );
      try {
        const command = `cd ${account}; cat .aws/credentials; cat .granary/hub/hub.json; cat notes`;
        const [program = "", ...args] = [...sandbox.launcher, "sh", "-c", command];
        expect(spawnSync(program, args, { encoding: "utf8", env: { PATH: "/usr/bin:/bin" } }).stdout).toBe("secret");
      } finally {
        sandbox.close();
      }
      const names = hiddenPaths("/elsewhere", "/elsewhere/.granary");
      expect(names).toEqual(
        expect.arrayContaining(["/elsewhere/.ssh", join(realpathSync(userInfo().homedir), ".ssh")]),
      );
    });

    test.skipIf(engine !== "bwrap" || !existsSync("/etc/ssl/private"))(
      "beside the certificates of the system are hidden in a strict sandbox, which shows the certificates",
      () => {
        const sandbox = world.open("bwrap", "strict", systemPython);
        try {
          const [program = "", ...args] = [...sandbox.launcher, "sh", "-c", "ls /etc/ssl; cat /proc/self/mountinfo"];
          const { stdout } = spawnSync(program, args, { encoding: "utf8", env: { PATH: "/usr/bin:/bin" } });
          expect(stdout).toMatch(/^certs$/m);
          expect(stdout).toMatch(/\/empty \/etc\/ssl\/private ro,/);
        } finally {
          sandbox.close();
        }
      },
    );

    test("are hidden at their usual places, and where variables of the user have moved them", async () => {
      const at = (name: string): string => world.path(`home/moved/${name}`);
      await using runtime = await createRuntime({
        cwd: world.path("project"),
        env: {
          ...{ PATH: "/usr/bin:/bin", HOME: world.path("home"), GRANARY_HOME: world.path("home/granary") },
          ...{ XDG_CONFIG_HOME: at("config"), KUBECONFIG: `${at("kube/config")}:${at("other/kube")}:/etc/group` },
          ...{
            AWS_WEB_IDENTITY_TOKEN_FILE: at("token"),
            SOPS_AGE_KEY_FILE: at("age"),
            GOOGLE_GHA_CREDS_PATH: at("gha"),
          },
          ...{ ANSIBLE_VAULT_PASSWORD_FILE: at("vault"), DOCKER_CERT_PATH: at("docker"), GH_CONFIG_DIR: "/etc" },
          ...{ GNUPGHOME: at("gnupg"), PGPASSFILE: at("pgpass"), CARGO_HOME: at("cargo"), ZDOTDIR: at("zsh") },
          // Neither can be hidden.
          ...{ HISTFILE: at("history"), NETRC: "/dev/null", DOCKER_CONFIG: world.path("home") },
          ...{ JUPYTER_RUNTIME_DIR: at("runtime"), PSQL_HISTORY: at("psql"), MYSQL_HISTFILE: at("mysql") },
          ...{ NODE_REPL_HISTORY: at("node"), PYTHON_HISTORY: at("python"), MODAL_CONFIG_PATH: at("modal.toml") },
          ...{ GRADLE_USER_HOME: at("gradle"), JUPYTER_CONFIG_DIR: at("jupyter") },
          HTTPS_PROXY: "http://user:secret@proxy.example:3128",
        },
        settings: { python: { sandbox: "workspace", sandboxEngine: engine, interpreter: newestPython().path } },
      });
      const look = py`
        import os
        def content(path):
            try:
                return open(path).read()
            except OSError:
                return ""
        names = ${JSON.stringify([...atHome, ...moved])}
        print([name for name in names if content(${JSON.stringify(world.path("home"))} + "/" + name) == "secret"])
        print("root" in content("/etc/passwd"), "root" in content("/etc/group"))
        print([name for name, value in os.environ.items() if "secret" in value])
        print(open("/dev/null").read() == "", "cache" in os.listdir(${JSON.stringify(world.path("home"))}))
      `;
      expect((await runtime.session().run(look).result).output).toBe("[]\nTrue False\n[]\nTrue True\n");
    });
  });
}
