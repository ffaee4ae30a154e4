import { followActions } from "#lib/server/acting/follow/follow-actions.ts";
import { ClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import type { ActingWorld } from "./acting-world.ts";

/** Tools for tests of actions. The world starts after they are created, so they look it up at each use. */
export function actingTools(worldNow: () => ActingWorld) {
  return {
    patches: () => worldNow().requests.filter(({ method }) => method === "PATCH"),
    follow: () =>
      followActions({
        pool: worldNow().recorder,
        clusterFor: () => worldNow().client,
        onError: (error) => {
          throw error;
        },
      }),
    stateOf: async (id: string | undefined) => String((await worldNow().rowOf(id)).state),
    age: async (id: string, seconds: number): Promise<void> => {
      await worldNow().owner.query(
        "UPDATE action SET requested_at = requested_at - $2 * interval '1 second', deadline_at = deadline_at - $2 * interval '1 second' WHERE id = $1",
        [id, seconds],
      );
    },
    loseAnswers: (isApplied: boolean): void => {
      worldNow().setIntercept(async (request, send) => {
        if (request.method !== "PATCH") return send();
        if (isApplied) await send();
        throw new ClusterUnreachableError({ cluster: "prod-eu", sent: true, message: "connection lost" });
      });
    },
  };
}
