import pg from "pg";

type Options = {
  /** The owner's connection to the maintenance database `postgres`. */
  maintenanceUrl: string;
  /** Name of the database to create if missing. */
  database: string;
  passwords: { recorder: string; web: string };
};

/** Creates the two least-privilege roles (or resets their passwords) and the database; safe to repeat. */
export async function prepareDatabase({ maintenanceUrl, database, passwords }: Options): Promise<void> {
  const client = new pg.Client({ connectionString: maintenanceUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    await ensureRole(client, "gatehouse_recorder", passwords.recorder);
    await ensureRole(client, "gatehouse_web", passwords.web);
    const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [database]);
    if (rowCount === 0) {
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)} ENCODING 'UTF8' TEMPLATE template0`);
    }
  } finally {
    await client.end();
  }
}

async function ensureRole(client: pg.Client, role: string, password: string): Promise<void> {
  const { rowCount } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
  const verb = rowCount === 0 ? "CREATE" : "ALTER";
  await client.query(
    `${verb} ROLE ${client.escapeIdentifier(role)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD ${client.escapeLiteral(password)}`,
  );
}
