import type { Metadata } from "next";
import { RunPage } from "#components/runs/run-page.tsx";
import { decodeSegment } from "#lib/client/decode-segment.ts";
import { nameRun } from "#lib/client/record-names.ts";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";
import { readRunName } from "#lib/server/pages/run/get-run.ts";
import { getWebRuntime } from "#lib/server/process/web-runtime.ts";

type PageProps = { params: Promise<{ uid: string }> };

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const actor = await requirePageActor();
  const run = await readRunName({ runtime: getWebRuntime(), actor }, decodeSegment((await params).uid));
  return { title: run === undefined ? "Analysis run" : `${nameRun(run)}, analysis` };
}

export default async function Page({ params }: PageProps) {
  await requirePageActor();
  return <RunPage uid={decodeSegment((await params).uid)} />;
}
