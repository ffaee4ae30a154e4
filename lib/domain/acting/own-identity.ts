/** The manager name of Gatehouse's own patches. */
export const ownManager = "gatehouse";

/** Requests for people are sent as this user by default. It has no rights by itself: those of the sent groups count. */
export const sharedUser = "gatehouse:person";

/** The extra that names the person. Constrained impersonation accepts only a key with a domain (Kubernetes 1.36). */
export const personExtra = "gatehouse.dev/person";
