/** What a browser gets while the database is away: it says so and looks again by itself. */
export function unavailablePage(): Response {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="3">
<title>Unavailable · Gatehouse</title>
<body style="font-family: system-ui, sans-serif; margin: 15vh auto; max-width: 32rem; padding: 0 1rem; color-scheme: light dark">
<main>
<h1>Gatehouse cannot reach its database</h1>
<p>Nothing can be shown or done until it is back. The clusters themselves are not affected.</p>
<p>This page looks again every few seconds.</p>
</main>
</body>
</html>
`;
  return new Response(html, {
    status: 503,
    headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", "retry-after": "3" },
  });
}
