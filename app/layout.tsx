import { ColorSchemeScript, mantineHtmlProps } from "@mantine/core";
import "@fontsource-variable/inter/index.css";
import "@fontsource-variable/jetbrains-mono/index.css";
import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "#components/ui/global.css";
import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { earlyClickScript } from "#components/shell/early-clicks.ts";
import { Providers } from "#components/shell/providers.tsx";
import { withBasePath } from "#lib/client/base-path.ts";

export const metadata: Metadata = {
  title: { default: "Gatehouse", template: "%s · Gatehouse" },
  description: "The oversight desk for progressive delivery on Kubernetes.",
  robots: { index: false, follow: false },
  icons: { icon: withBasePath("/favicon.svg") },
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#11181d" },
  ],
};

export default async function RootLayout({ children }: { children: React.ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} suppressHydrationWarning />
        <script nonce={nonce} suppressHydrationWarning>
          {earlyClickScript}
        </script>
      </head>
      <body>
        <Providers nonce={nonce}>{children}</Providers>
      </body>
    </html>
  );
}
