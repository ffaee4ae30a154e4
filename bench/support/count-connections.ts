import { readFileSync } from "node:fs";

/** Counts the open connections of the process that listens on this port of 127.0.0.1. */
export function countConnections(port: number): number {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const established = "01";
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1] === local && fields[3] === established).length;
}
