/** The name under which the controller's own writes are stored, regardless of its binary's name. */
export const controllerManager = "rollouts-controller";

/** Manager names of Argo's controller as shipped: the API server takes the name of its binary. */
export const knownControllerManagers: readonly string[] = [controllerManager, "argo-rollouts"];
