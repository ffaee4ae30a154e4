/**
 * The last migration of the last release; of none yet, so the first migration. Later migrations must not break programs
 * that end with it (`scripts/migration-compatibility.mjs`, docs/adr/0015).
 */
export const servedFrom = "20261127210000_init";
