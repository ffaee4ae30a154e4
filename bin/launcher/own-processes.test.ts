import { describe, expect, it } from "vitest";
import { ownEnvironment, type ProcessSettings, withoutSecrets } from "./own-processes.ts";

const settings: ProcessSettings = {
  configFile: "/etc/gatehouse.yaml",
  secret: "signs-sessions",
  databaseUrl: "postgresql://own@db/x",
  databaseDirectUrl: "postgresql://own@db/x",
  databaseReadUrl: "postgresql://own@standby/x",
  webSecretVariables: ["OIDC_CLIENT_SECRET"],
  sharesRole: false,
};
const env = {
  PATH: "/bin",
  HTTPS_PROXY: "http://proxy",
  KUBECONFIG: "/k",
  NODE_ENV: "test",
  GATEHOUSE_SECRET: "signs-sessions",
  OIDC_CLIENT_SECRET: "of-the-provider",
  DATABASE_URL: "postgresql://web@db/x",
  DATABASE_DIRECT_URL: "postgresql://web-direct@db/x",
  DATABASE_MIGRATE_URL: "postgresql://owner@db/x",
  DATABASE_RECORDER_URL: "postgresql://recorder@db/x",
  DATABASE_READ_URL: "postgresql://web-reads@standby/x",
} as const;
const secrets = /signs-sessions|of-the-provider|web@|web-direct@|web-reads@|owner@|recorder@/;

describe("the environment of a process", () => {
  it("is for the recorder without any secret that is not its own", () => {
    const own = ownEnvironment({ settings, env, isForRecorder: true });
    expect(JSON.stringify(own)).not.toMatch(secrets);
    expect(own).toMatchObject({ PATH: "/bin", HTTPS_PROXY: "http://proxy", KUBECONFIG: "/k", NODE_ENV: "production" });
    expect(own).toMatchObject({ DATABASE_URL: settings.databaseUrl, DATABASE_DIRECT_URL: settings.databaseDirectUrl });
    expect(own).not.toHaveProperty("DATABASE_READ_URL");
  });

  it("is for the web without the roles of the others", () => {
    const own = ownEnvironment({ settings, env, isForRecorder: false });
    expect(own).toMatchObject({ GATEHOUSE_SECRET: "signs-sessions", OIDC_CLIENT_SECRET: "of-the-provider" });
    expect(own).toMatchObject({ DATABASE_READ_URL: settings.databaseReadUrl });
    expect(JSON.stringify(own)).not.toMatch(/web@|web-direct@|web-reads@|owner@|recorder@/);
  });

  it("is for others without all of them", () => {
    expect(JSON.stringify(withoutSecrets(env, ["OIDC_CLIENT_SECRET"]))).not.toMatch(secrets);
  });
});
