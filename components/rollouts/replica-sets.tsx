import { Badge, Table, Title } from "@mantine/core";
import classes from "#components/rollouts/rollouts.module.css";
import { shortenImage } from "#components/ui/describe-images.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

export function ReplicaSets({ replicaSets }: Pick<RolloutDetail, "replicaSets">) {
  if (replicaSets.length === 0) return null;
  return (
    <section className={classes.panel}>
      <Title order={2} mb="xs" id="replica-sets">
        ReplicaSets
      </Title>
      <Table.ScrollContainer minWidth={360}>
        <Table aria-labelledby="replica-sets">
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">Revision</Table.Th>
              <Table.Th scope="col">Role</Table.Th>
              <Table.Th scope="col">Image</Table.Th>
              <Table.Th scope="col" ta="right">
                Available
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {replicaSets.map(({ name, revision, podHash, tags, images, replicas, available }) => (
              <Table.Tr key={name}>
                <Table.Th scope="row" title={name}>
                  {revision ?? podHash}
                </Table.Th>
                <Table.Td>
                  {tags.map((tag) => (
                    <Badge key={tag} variant="default" size="sm" mr={4} tt="none">
                      {tag}
                    </Badge>
                  ))}
                </Table.Td>
                <Table.Td title={images.join(", ")}>{images.map(shortenImage).join(", ")}</Table.Td>
                <Table.Td ta="right">
                  {available} of {replicas}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}
