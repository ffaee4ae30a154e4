import { basename } from "node:path";

/** How the person started this program: `kubectl gatehouse` as a plugin of kubectl, which finds plugins by their names. */
export const programName = basename(process.argv[1] ?? "") === "kubectl-gatehouse" ? "kubectl gatehouse" : "gatehouse";
