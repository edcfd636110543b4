const howItEnded = "a server tells that a kernel has died, and not how";
const whichProcess = "the process is on the server's machine, where the test cannot reach it";

/** Facts that an external server does not report about its kernels. */
export const serverGaps: Readonly<Record<string, string>> = {
  "it says which Python it is": whichProcess,
  "os._exit is reported with its exit code, and the kernel is dead": howItEnded,
  "os.abort is reported with its signal": howItEnded,
  "a segmentation fault is reported with the line that caused it": howItEnded,
  "a signal that ends Python from inside is reported": howItEnded,
  "SIGKILL from outside in the middle of a cell is reported": whichProcess,
  "SIGKILL from outside between cells is noticed": whichProcess,
  "a kernel that died before the cell began says so: the cell can be sent again": whichProcess,
  "a kernel that dies while it is asked something fails the question": whichProcess,
  "an aborted ping does not wait": whichProcess,
  "a child that left the process group does not hide the kernel's death": howItEnded,
};
