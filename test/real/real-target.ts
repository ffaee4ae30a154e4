const impersonationModes = ["groups", "users", "constrained"] as const;
export type ImpersonationMode = (typeof impersonationModes)[number];

/** Settings from the environment; docs/testing-against-real-controllers.md describes each variable. */
export type RealTarget = {
  kubeconfig: string;
  argoVersion: string | undefined;
  /** A server with the interface of the lab's metrics; if absent, one of ours is started. */
  metricsUrl: string | undefined;
  metricsListen: string;
  metricsReachedAt: string | undefined;
  /** Images of three versions, and one whose pods never become ready. */
  images: [string, string, string];
  unreadyImage: string;
  /** The version of Flagger; undefined: the cluster has no Flagger, and its stories are skipped. */
  flaggerVersion: string | undefined;
  /** Where Gatehouse's hooks listen, and how Flagger reaches them. */
  gatesListen: string;
  gatesReachedAt: string;
  /** A Prometheus that scrapes Flagger. */
  prometheusUrl: string | undefined;
  /** A step plugin of the controller that returns the result in a step's `config.return`, as upstream's e2e plugin. */
  stepPlugin: string | undefined;
  /** A file of how pods behave, by prefix of their names, as the lab's kubelet reads it. */
  podsFile: string | undefined;
  /** The program helm: Gatehouse then has the roles of the chart, and acts by impersonation. */
  helm: string | undefined;
  /** How it then acts: with groups, as users of their own, or with groups and constrained impersonation. */
  impersonation: ImpersonationMode;
  /** How the API server's audit events arrive: TLS in front of the webhook, or a file. */
  audit: {
    listen: string;
    reachedAt: string;
    /** Signs the certificate of the address that the API server sends to. */
    caFile: string | undefined;
    caKeyFile: string | undefined;
    file: string | undefined;
  };
  hooks: Record<
    "stopController" | "startController" | "killApiServer" | "startApiServer" | "sendAudit" | "stopAudit",
    string | undefined
  >;
};

/** Splits `host:port`. */
export function parseListen(listen: string): { host: string; port: number } {
  const [host = "127.0.0.1", port = "0"] = listen.split(/:(?=\d+$)/);
  return { host, port: Number(port) };
}

function readMode(text: string): ImpersonationMode {
  const mode = impersonationModes.find((each) => each === text);
  if (mode === undefined) throw new Error(`GATEHOUSE_REAL_IMPERSONATION is one of ${impersonationModes.join(", ")}`);
  return mode;
}

export function readTarget(env: NodeJS.ProcessEnv = process.env): RealTarget {
  const kubeconfig = env.KUBECONFIG;
  if (kubeconfig === undefined || kubeconfig === "") throw new Error("KUBECONFIG is not set");
  const pause = "registry.k8s.io/pause";
  const [first = `${pause}:3.8`, second = `${pause}:3.9`, third = `${pause}:3.10`] = (env.GATEHOUSE_REAL_IMAGES ?? "")
    .split(",")
    .filter((image) => image !== "");
  const metricsListen = env.GATEHOUSE_REAL_METRICS_LISTEN ?? "127.0.0.1:9911";
  const gatesListen = env.GATEHOUSE_REAL_GATES_LISTEN ?? "127.0.0.1:9912";
  const auditListen = env.GATEHOUSE_REAL_AUDIT_LISTEN ?? "127.0.0.1:9914";
  return {
    kubeconfig,
    argoVersion: env.GATEHOUSE_REAL_ARGO_VERSION,
    metricsUrl: env.GATEHOUSE_REAL_METRICS_URL,
    metricsListen,
    metricsReachedAt: env.GATEHOUSE_REAL_METRICS_REACHED_AT ?? `http://${metricsListen}`,
    images: [first, second, third],
    unreadyImage: env.GATEHOUSE_REAL_UNREADY_IMAGE ?? "registry.invalid/unready:1",
    flaggerVersion: env.GATEHOUSE_REAL_FLAGGER_VERSION,
    gatesListen,
    gatesReachedAt: env.GATEHOUSE_REAL_GATES_REACHED_AT ?? `http://${gatesListen}`,
    prometheusUrl: env.GATEHOUSE_REAL_PROMETHEUS_URL,
    stepPlugin: env.GATEHOUSE_REAL_STEP_PLUGIN,
    podsFile: env.GATEHOUSE_REAL_PODS_FILE,
    helm: env.GATEHOUSE_REAL_HELM,
    impersonation: readMode(env.GATEHOUSE_REAL_IMPERSONATION ?? "groups"),
    audit: {
      listen: auditListen,
      reachedAt: env.GATEHOUSE_REAL_AUDIT_REACHED_AT ?? `https://${auditListen}`,
      caFile: env.GATEHOUSE_REAL_AUDIT_CA_FILE,
      caKeyFile: env.GATEHOUSE_REAL_AUDIT_CA_KEY_FILE,
      file: env.GATEHOUSE_REAL_AUDIT_FILE,
    },
    hooks: {
      stopController: env.GATEHOUSE_REAL_STOP_CONTROLLER,
      startController: env.GATEHOUSE_REAL_START_CONTROLLER,
      killApiServer: env.GATEHOUSE_REAL_KILL_API_SERVER,
      startApiServer: env.GATEHOUSE_REAL_START_API_SERVER,
      sendAudit: env.GATEHOUSE_REAL_SEND_AUDIT,
      stopAudit: env.GATEHOUSE_REAL_STOP_AUDIT,
    },
  };
}
