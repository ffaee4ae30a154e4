import { type ActionName, entryOf } from "#lib/domain/acting/action-catalogue.ts";
import { findCommand } from "#lib/domain/acting/find-command.ts";

export type WhoMayQuestion = { action: ActionName; cluster?: string; namespace?: string; name?: string };

/**
 * Reads a question such as "abort", "abort in payments" or "abort prod/payments/checkout". A single name is a cluster
 * if the config has one of that name, else a namespace. Returns undefined without an action, or with too many parts.
 */
export function parseWhoMay(text: string, clusters: readonly string[]): WhoMayQuestion | undefined {
  const everywhere = findCommand(`${text} *`);
  const command = everywhere?.rest === "*" ? everywhere : findCommand(text);
  const action = command?.actions[0];
  if (command === undefined || action === undefined) return undefined;
  const place = command.rest.replace(/^(?:in|at) /, "");
  if (place === "*") return { action };
  const parts = place.split("/");
  if (parts.length > 3 || parts.some((part) => part === "" || /\s/.test(part))) return undefined;
  const hasCluster = parts.length === 3 || clusters.includes(parts[0] ?? "");
  const [namespace, name] = hasCluster ? parts.slice(1) : parts;
  return {
    action,
    ...(hasCluster && parts[0] !== undefined ? { cluster: parts[0] } : {}),
    ...(namespace === undefined ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
}

/** Says a question: "abort in payments/checkout of cluster prod". */
export function describeWhoMay({ action, cluster, namespace, name }: WhoMayQuestion): string {
  const word = entryOf(action).word;
  const where = [namespace, name].filter((part) => part !== undefined).join("/");
  if (where === "") return cluster === undefined ? word : `${word} in cluster ${cluster}`;
  return `${word} in ${where}${cluster === undefined ? "" : ` of cluster ${cluster}`}`;
}
