"use client";

import { Anchor, Skeleton, Text } from "@mantine/core";
import dynamic from "next/dynamic";
import Link from "next/link";
import { parseAsString, useQueryStates } from "nuqs";
import { PageTitle } from "#components/ui/page-title.tsx";
import { QueryView } from "#components/ui/query-view.tsx";
import { RelativeTime } from "#components/ui/relative-time.tsx";
import { shortTemplateName, templateHref } from "#lib/client/template-path.ts";
import { useTemplate } from "#lib/client/template-queries.ts";

/** Edits a template as text. Nothing is sent to a cluster. */
export function LabPage() {
  const [{ template, rollout }, set] = useQueryStates({ template: parseAsString, rollout: parseAsString });
  return (
    <>
      <PageTitle
        aside={
          template !== null && (
            <Anchor component={Link} href={templateHref(template)} size="sm">
              {shortTemplateName(template)}
            </Anchor>
          )
        }
      >
        Template lab
      </PageTitle>
      <Text size="sm" c="dimmed" mb="md">
        Try changes of a template before you commit them. Nothing in a cluster changes.
      </Text>
      {template === null ? (
        <Lab template={null} rollout={rollout} onRollout={(id) => void set({ rollout: id })} />
      ) : (
        <LabOfTemplate key={template} id={template} rollout={rollout} onRollout={(id) => void set({ rollout: id })} />
      )}
    </>
  );
}

/** The editor is loaded only by this page. */
const Lab = dynamic(() => import("#components/templates/lab.tsx").then((module) => module.Lab), {
  ssr: false,
  loading: () => <Skeleton height={480} />,
});

type RolloutProps = { rollout: string | null; onRollout: (id: string | null) => void };

function LabOfTemplate({ id, ...rest }: { id: string } & RolloutProps) {
  const query = useTemplate(id);
  return (
    <QueryView what="The template" query={query} skeleton={<Skeleton height={420} />}>
      {(detail) => (
        <>
          <Text size="xs" c="dimmed" mb={4}>
            Starts from version {detail.version}, written <RelativeTime at={detail.writtenAt} />
          </Text>
          <Lab template={detail} {...rest} />
        </>
      )}
    </QueryView>
  );
}
