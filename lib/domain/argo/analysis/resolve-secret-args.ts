import { hideSecrets } from "#lib/domain/storable/redact-text.ts";
import type { Argument, Outcome } from "./types.ts";

/**
 * Returns arguments with the values of secrets that the caller holds, and those values for redaction. This server never
 * reads a cluster's secrets; the function serves the sandbox's controller.
 * Mirrors argo-rollouts analysis/analysis.go `resolveArgs`.
 */
export function resolveSecretArgs(
  args: readonly Argument[],
  secrets: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Outcome<{ readonly args: readonly Argument[]; readonly secretValues: readonly string[] }> {
  const secretValues = new Set<string>();
  const resolved: Argument[] = [];
  for (const arg of args) {
    const ref = arg.valueFrom?.secretKeyRef;
    if (ref === undefined) {
      resolved.push(arg);
      continue;
    }
    const { name = "", key = "" } = ref;
    const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
    if (secret === undefined) return { error: `secrets "${name}" not found` };
    const value = Object.hasOwn(secret, key) ? secret[key] : undefined;
    if (value === undefined) return { error: `key '${key}' does not exist in secret '${name}'` };
    secretValues.add(value);
    resolved.push({ ...arg, value });
  }
  return { value: { args: resolved, secretValues: [...secretValues] } };
}

/** Returns a measurement's message with every secret value replaced by five stars. */
export function redactMessage(message: string, secretValues: readonly string[]): string {
  return hideSecrets(message, secretValues, "*****");
}
