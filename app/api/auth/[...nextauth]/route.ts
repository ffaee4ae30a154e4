import { handleAuth } from "#lib/server/edge/http/handle-auth.ts";

type Context = { params: Promise<{ nextauth: string[] }> };

async function answer(request: Request, context: Context): Promise<Response> {
  const { nextauth } = await context.params;
  return handleAuth({ request, segments: nextauth });
}

export const GET = answer;
export const POST = answer;
export const PUT = answer;
export const PATCH = answer;
export const DELETE = answer;
