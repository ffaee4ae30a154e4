import { ConsoleShell } from "#components/shell/console-shell.tsx";
import { requirePageActor } from "#lib/server/auth/require-page-actor.ts";

export default async function ConsoleLayout({ children }: { children: React.ReactNode }) {
  await requirePageActor();
  return <ConsoleShell>{children}</ConsoleShell>;
}
