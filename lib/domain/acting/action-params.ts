import { digestOf } from "#lib/domain/storable/digest-of.ts";

/** What an action is asked for with; each belongs to one action. */
export type ActionParams = {
  /** undo; absent for the revision before the current one. */
  toRevision?: number | undefined;
  /** set-image: a container's name, or `*` for all of them. */
  container?: string | undefined;
  /** set-image. */
  image?: string | undefined;
  /** restart: pods created before this moment, in RFC 3339; absent for now. */
  at?: string | undefined;
};

/** What is acted on where that is not the rollout itself but belongs to it. */
export type ActionSubject = { kind: "AnalysisRun" | "Experiment"; name: string; uid: string };

/** The params alone; revision 0 is upstream's word for the one before, and means the same as none. */
export function readActionParams({ toRevision, container, image, at }: ActionParams): ActionParams {
  return {
    ...(toRevision === undefined || toRevision === 0 ? {} : { toRevision }),
    ...(container === undefined ? {} : { container }),
    ...(image === undefined ? {} : { image }),
    ...(at === undefined ? {} : { at }),
  };
}

/** One text for one request: an approval of it is an approval of nothing else. */
export function requestKeyOf({
  action,
  params = {},
  subject,
}: {
  action: string;
  params?: ActionParams | undefined;
  subject?: Pick<ActionSubject, "kind" | "uid"> | undefined;
}): string {
  const about = subject === undefined ? {} : { subject: { kind: subject.kind, uid: subject.uid } };
  return digestOf({ action, params: readActionParams(params), ...about });
}
