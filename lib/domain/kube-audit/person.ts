const serviceAccountPrefix = "system:serviceaccount:";

/** Who the API server says sent a request. A `component` is one of Kubernetes' own, or a certificate of an admin. */
export type KubernetesUser = {
  type: "user" | "service-account" | "component";
  /** As the API server has it; of a service account `namespace/name`. */
  name: string;
  /** The program at the start of the user agent; empty if it sent none. */
  program: string;
  userAgent: string;
  impersonatedBy?: string;
};

export function isServiceAccount(username: string): boolean {
  return username.startsWith(serviceAccountPrefix);
}

/** Describes the sender of a write. Names that begin with `system:` are never a person's. */
export function describeUser({
  username,
  userAgent,
  impersonatedBy,
}: {
  username: string;
  userAgent: string;
  impersonatedBy: string | undefined;
}): KubernetesUser {
  return {
    type: isServiceAccount(username) ? "service-account" : username.startsWith("system:") ? "component" : "user",
    name: isServiceAccount(username) ? shorten(username) : username,
    program: programOf(userAgent),
    userAgent,
    ...(impersonatedBy === undefined ? {} : { impersonatedBy }),
  };
}

/** Formats who it was for a sentence: `alice, impersonated by bot, with kubectl`. */
export function formatUser({ type, name, program, impersonatedBy }: KubernetesUser): string {
  const who = type === "service-account" ? `service account ${name}` : name;
  const by =
    impersonatedBy === undefined
      ? ""
      : `, impersonated by ${isServiceAccount(impersonatedBy) ? `service account ${shorten(impersonatedBy)}` : impersonatedBy}`;
  return `${who}${by}${program === "" ? "" : `, with ${program}`}`;
}

function shorten(username: string): string {
  return username.slice(serviceAccountPrefix.length).replace(":", "/");
}

/** Returns the name of the program at the start of a user agent: `kubectl` of `kubectl/v1.36.1 (linux/amd64)`. */
function programOf(userAgent: string): string {
  return userAgent.split(/[/ ]/, 1)[0] ?? "";
}
