import { expect, it } from "vitest";
import { outlinePatch } from "#lib/domain/acting/action-outline.ts";

it("shows names, images and amounts, what is removed, and hides whatever may be a secret", () => {
  const container = {
    name: "app",
    image: "shop/app:2",
    args: ["--password=hunter2"],
    env: [{ name: "cpu", value: "secret" }],
    ports: [{ containerPort: 8080, protocol: "TCP" }],
    resources: { limits: { cpu: "1", memory: "1Gi", "example.com/gpu": "2" } },
    securityContext: { privileged: false },
    workingDir: null,
  };
  const metadata = { labels: { cpu: "secret", name: "secret" }, annotations: { image: "secret" } };
  expect(outlinePatch({ metadata, spec: { containers: [container] } })).toEqual({
    metadata: { labels: { cpu: "[hidden]", name: "[hidden]" }, annotations: { image: "[hidden]" } },
    spec: {
      containers: [
        {
          ...container,
          args: ["[hidden]"],
          env: [{ name: "cpu", value: "[hidden]" }],
          resources: { limits: { cpu: "1", memory: "1Gi", "example.com/gpu": "[hidden]" } },
        },
      ],
    },
  });
});
