import { digestOf } from "#lib/domain/storable/digest-of.ts";

/** The parameters of an action; each belongs to one action. */
export type ActionParams = {
  /** undo; if absent, the revision before the current one. */
  toRevision?: number | undefined;
  /** set-image: a container's name, or `*` for all containers. */
  container?: string | undefined;
  /** set-image. */
  image?: string | undefined;
  /** restart: pods created before this time, in RFC 3339; absent for now. */
  at?: string | undefined;
};

/** The target of an action if it is not the rollout itself but belongs to it. */
export type ActionSubject = { kind: "AnalysisRun" | "Experiment"; name: string; uid: string };

/**
 * Returns only the params. Revision 0 is dropped: upstream uses it for the previous revision, which is the default
 * here.
 */
export function readActionParams({ toRevision, container, image, at }: ActionParams): ActionParams {
  return {
    ...(toRevision === undefined || toRevision === 0 ? {} : { toRevision }),
    ...(container === undefined ? {} : { container }),
    ...(image === undefined ? {} : { image }),
    ...(at === undefined ? {} : { at }),
  };
}

/** Returns a text that identifies the request: an approval covers no other request. */
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
