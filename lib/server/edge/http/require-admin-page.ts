import { forbidden } from "next/navigation";
import { isAdmin } from "#lib/domain/policy/rights.ts";
import { requirePageActor } from "#lib/server/edge/http/require-page-actor.ts";

/** For pages of who administers everything: others get a 403 page. The API refuses them by itself. */
export async function requireAdminPage(): Promise<void> {
  const actor = await requirePageActor();
  if (!isAdmin(actor.rights)) forbidden();
}
