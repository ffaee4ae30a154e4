import type { ServerResponse } from "node:http";
import { parseJson } from "#lib/util/json.ts";
import { type NotificationReceiver, startNotificationReceiver } from "#test/notification-receiver.ts";
import { listFaults } from "#test/published/validate-published.ts";

type Alert = { state: "triggered" | "acknowledged" | "resolved"; triggers: number; summary: string };

export type PagerDutyDouble = {
  url: string;
  /** By dedup key, in the order in which they were opened. */
  incidents: Map<string, Alert>;
  /** How often a person was paged: a trigger pages unless its alert is open. */
  pages(): number;
  faults: string[];
  /** Answers with this status from now on, and takes nothing; undefined: works again. */
  fail(status: number | undefined): void;
  close(): Promise<void>;
};

type PagerDutyEvent = { event_action: string; dedup_key: string; payload?: { summary: string } };

/** Starts a server that behaves as PagerDuty's Events API v2: it checks events, and keeps alerts by their dedup keys. */
export async function startPagerDuty(): Promise<PagerDutyDouble> {
  const receiver: NotificationReceiver = await startNotificationReceiver();
  const incidents = new Map<string, Alert>();
  const faults: string[] = [];
  let failing: number | undefined;
  let pages = 0;

  function take({ event_action: action, dedup_key: key, payload }: PagerDutyEvent): void {
    const open = incidents.get(key);
    if (action === "trigger") {
      const isOpen = open !== undefined && open.state !== "resolved";
      if (!isOpen) pages += 1;
      incidents.set(key, {
        state: isOpen ? open.state : "triggered",
        triggers: (open?.triggers ?? 0) + 1,
        summary: payload?.summary ?? "",
      });
    } else if (open !== undefined && open.state !== "resolved")
      open.state = action === "resolve" ? "resolved" : "acknowledged";
  }

  const answer = (response: ServerResponse, status: number, body: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  receiver.answer((response, { body }) => {
    if (failing !== undefined) return answer(response, failing, {});
    const event = parseJson(body);
    const found = listFaults("pagerDuty", event);
    faults.push(...found);
    if (found.length > 0) return answer(response, 400, { status: "invalid event", message: "", errors: found });
    take(event as PagerDutyEvent);
    answer(response, 202, { status: "success", message: "Event processed" });
  });
  return {
    url: new URL(receiver.url).origin,
    ...{ incidents, faults },
    pages: () => pages,
    fail: (status) => {
      failing = status;
    },
    close: () => receiver.close(),
  };
}
