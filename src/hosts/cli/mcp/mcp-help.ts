export const mcpHelp = `Serves Python, notebooks, files and a shell to MCP clients.

Usage:
  granary mcp [options]
  granary mcp --http HOST:PORT [options]

Without --http it serves one client on standard input and output, as clients
start such servers, and ends when the client closes standard input. With --http
it serves many at http://HOST:PORT/mcp, until Ctrl-C. (PORT alone means this
machine only, and 0 any free port.)

Options:
      --cwd DIR        working folder of Python and base of relative paths
      --root DIR       limit file tools to this folder; may be given several
                       times. If --cwd is outside of all roots, the first is
                       the working folder
      --read-only      hide every tool that can change something
      --python PATH    run on this Python
      --backend B      what runs cells: runner, zmq, gateway or auto
      --sandbox[=strict]
                       limit Python and its commands to this folder, without
                       secrets and network. Where a settings file says strict,
                       --sandbox stays strict, and --sandbox=workspace is not;
                       granary doctor shows whether that works here
      --trust          run .granary/modules and use programs and variables
                       that the settings of the working folder name, and of
                       folders below it; not in other folders that an agent
                       names, nor in a repository inside; see granary trust
  -h, --help           show this

With --http:
      --token TOKEN    accept clients with this token; may be given several
                       times, and each token has kernels of its own. Other
                       users can see it: prefer the variable
                       GRANARY_MCP_TOKEN. By default, a token is generated
                       and shown.
      --no-auth        let any program on this machine in; refused where others
                       could reach it
      --allow-host NAME  a name under which clients address this server, such as
                       a proxy's; may be given several times
      --idle-minutes N close sessions that were unused for N minutes
                       (1440, which is 24 hours)

Each connection has a Python session of its own, unless a call names another.
--root and --read-only limit the file tools. They are no sandbox: with the
tools python or bash, code runs as you, with all your rights.

Examples:
  claude mcp add granary -- granary mcp
  granary mcp --root ~/project --read-only
  GRANARY_MCP_TOKEN=... granary mcp --http 127.0.0.1:3333

Standard output carries only the protocol; messages for people go to standard
error. The lines for the usual clients: granary init --dry-run CLIENT

Exit codes:
  0 the client has left      2 wrong usage      3 Granary failed
  130 Ctrl-C (128 + the number of the signal that ended it)
`;
