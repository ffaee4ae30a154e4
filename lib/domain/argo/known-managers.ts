/** The name under which the controller's own writes are stored, whatever its binary is called. */
export const controllerManager = "rollouts-controller";

/** Manager names of Argo's controller as it is shipped: the API server takes the name of its binary. */
export const knownControllerManagers: readonly string[] = [controllerManager, "argo-rollouts"];
