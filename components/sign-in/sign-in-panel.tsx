"use client";

import { Alert, Anchor, Button, Paper, Stack, Text, Title } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { useState } from "react";
import classes from "#components/sign-in/sign-in.module.css";
import { BrandMark } from "#components/ui/brand-mark.tsx";
import { IconChevronRight } from "#components/ui/icons.tsx";
import { docHref } from "#lib/client/doc-href.ts";
import { describeSignInError, parseCallbackPath, signInWithPassword, signInWithProvider } from "#lib/client/session.ts";
import type { Role } from "#lib/contract/common.ts";

/** Accounts with a password and a role of their own; `label` and `note` describe them. */
type LocalSignIn = {
  method: string;
  label: string;
  note: string;
  accounts: { role: Role; username: string; password: string }[];
};

type SignInPanelProps = {
  local: LocalSignIn | undefined;
  oidc: { label: string } | undefined;
  callbackUrl: string | undefined;
  /** next-auth's code for the previous failure. */
  error: string | undefined;
};

const roles: Record<Role, { title: string; may: string }> = {
  viewer: { title: "Viewer", may: "Read-only access to rollouts, analysis and the audit log." },
  operator: { title: "Operator", may: "Also continues, aborts and retries rollouts, with a reason." },
  admin: { title: "Admin", may: "Also sees role bindings, config and storage." },
};

export function SignInPanel({ local, oidc, callbackUrl, error }: SignInPanelProps) {
  const [pending, setPending] = useState<string>();
  const [problem, setProblem] = useState(error === undefined ? undefined : describeSignInError(error));
  const callbackPath = parseCallbackPath(callbackUrl);
  // Before its script runs, the page would lose a click.
  const isReady = useMounted();
  const isOff = !isReady || pending !== undefined;

  function start(name: string, signIn: () => Promise<void>): void {
    setPending(name);
    setProblem(undefined);
    signIn().catch((caught: Error) => {
      setProblem(caught.message);
      setPending(undefined);
    });
  }

  return (
    <main className={classes.page} id="main">
      <Paper withBorder className={classes.panel} data-waiting={!isReady || undefined}>
        <Stack gap="lg">
          <div>
            <Title order={1} className={classes.brand}>
              <BrandMark size={28} /> Gatehouse
            </Title>
            <Text c="dimmed" mt={6}>
              Watch, decide and audit Argo Rollouts and Flagger.
            </Text>
          </div>
          {isLinked(callbackPath) && (
            <Text size="sm" c="dimmed">
              You'll go back to the page you opened.
            </Text>
          )}
          {problem !== undefined && (
            <Alert
              color={error === "SessionRequired" ? "gray" : "red"}
              variant="outline"
              role="alert"
              bg="var(--gh-surface)"
            >
              <Text size="sm">{problem}</Text>
            </Alert>
          )}
          {oidc !== undefined && (
            <Button
              fullWidth
              className={classes.provider}
              loading={pending === "oidc"}
              disabled={isOff}
              onClick={() => start("oidc", () => signInWithProvider(callbackPath))}
            >
              {oidc.label}
            </Button>
          )}
          {local !== undefined && (
            <Stack gap="xs" component="section" aria-labelledby="local-accounts">
              <Title order={2} id="local-accounts" size="h3">
                {`${local.label}s`}
              </Title>
              {local.accounts.map(({ role, username, password }) => (
                <Button
                  key={role}
                  variant="default"
                  fullWidth
                  justify="space-between"
                  className={classes.account}
                  rightSection={<IconChevronRight size={16} aria-hidden="true" />}
                  loading={pending === role}
                  disabled={isOff}
                  onClick={() =>
                    start(role, () => signInWithPassword({ method: local.method, username, password }, callbackPath))
                  }
                >
                  <span className={classes.accountText}>
                    <strong>Continue as {roles[role].title.toLowerCase()}</strong>
                    <span className={classes.may}>{roles[role].may}</span>
                  </span>
                </Button>
              ))}
              <Text size="xs" c="dimmed" mt={4}>
                {local.note}
              </Text>
            </Stack>
          )}
          {oidc === undefined && local === undefined && (
            <Text>No sign-in method is configured. Set an identity provider under `auth.oidc` in the config.</Text>
          )}
          <Text size="sm">
            <Anchor href={helpHref(problem !== undefined)} inherit>
              {problem === undefined ? "Documentation" : "Troubleshooting"}
            </Anchor>
          </Text>
        </Stack>
      </Paper>
    </main>
  );
}

/** Returns whether the person came from a page of their own choice, and not from the root. */
function isLinked(path: string): boolean {
  return path !== "/" && path !== "/inbox";
}

function helpHref(hasFailed: boolean): string {
  return hasFailed ? `${docHref("troubleshooting.md")}#sign-in-fails` : docHref("README.md");
}
