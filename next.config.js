// scripts/build.mjs sets it to a placeholder, and whoever starts the server to the path of publicUrl (docs/adr/0017).
const basePath = process.env.GATEHOUSE_BASE_PATH ?? "";

/** @type {import("next").NextConfig} */
export default {
  basePath,
  env: { GATEHOUSE_BASE_PATH: basePath },
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run verify` checks the types of the whole tree; a first start need not do it again.
  typescript: { ignoreBuildErrors: true },
  // A redirect in answer to a hook or an API call reads as success to some clients: no path is ever normalised by one.
  skipTrailingSlashRedirect: true,
  skipProxyUrlNormalize: true,
  // Nobody needs pictures in other sizes, and whoever may ask for them keeps the server busy.
  images: { unoptimized: true },
  serverExternalPackages: [
    "@opentelemetry/api",
    "@opentelemetry/core",
    "@opentelemetry/exporter-trace-otlp-proto",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-trace",
    "@prisma/client",
    "@prisma/adapter-pg",
    "pg",
    "pino",
    "undici",
  ],
  // The documentation is read from its files: an output that is moved elsewhere must carry them.
  outputFileTracingIncludes: { "/*": ["./package.json", "./docs/**"] },
  // `forbidden()` answers 403 with the page in words; without this it is an error.
  experimental: {
    authInterrupts: true,
    // For a first start: no server reads the maps, and writing the cache takes longer than most builds gain by it.
    turbopackSourceMaps: false,
    // scripts/shrink-chunks.mjs does it in a twentieth of the time.
    turbopackMinify: { server: false, client: true },
    turbopackFileSystemCacheForBuild: false,
    optimizePackageImports: ["@mantine/core", "@mantine/hooks"],
  },
};
