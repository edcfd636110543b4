export const mcpHelp = `Gives MCP clients Python, notebooks, files and a shell.

Usage:
  granary mcp [options]
  granary mcp --http HOST:PORT [options]

Without --http one client is served on standard input and output, as clients
start such servers; when it closes standard input, everything ends. With --http
many are served at http://HOST:PORT/mcp, until Ctrl-C. (PORT alone means this
machine only, and 0 any port that is free.)

Options:
      --cwd DIR        the folder of Python, and of relative paths
      --root DIR       let file tools see nothing outside of this folder; may be
                       given several times. Where --cwd is outside of all,
                       the first is the working folder
      --read-only      hide every tool that could change something
      --python PATH    run on this Python, whatever else there is
      --backend B      what runs cells: runner, zmq, gateway or auto
  -h, --help           show this

With --http:
      --token TOKEN    clients have to send this; may be given several times, and
                       each has kernels of its own. Better in the variable
                       GRANARY_MCP_TOKEN, which other users cannot see. Without
                       either, one is made and shown.
      --no-auth        let any program on this machine in; refused where others
                       could reach it
      --allow-host NAME  a name under which clients address this server, such as
                       a proxy's; may be given several times
      --idle-minutes N close sessions that nobody has used for N minutes
                       (1440, which is 24 hours)

Each connection has a Python session of its own, unless a call names another.
--root and --read-only limit the file tools. They are no sandbox: where the
tools python or bash are, code runs as you, with all your rights.

Examples:
  claude mcp add granary -- granary mcp
  granary mcp --root ~/project --read-only
  GRANARY_MCP_TOKEN=... granary mcp --http 127.0.0.1:3333

Nothing but the protocol goes to standard output; what there is to tell people
goes to standard error. How to configure the usual clients: docs/mcp.md

Exit codes:
  0 the client has left      2 wrong usage      3 Granary failed
  130 Ctrl-C (128 + the number of the signal that ended it)
`;
