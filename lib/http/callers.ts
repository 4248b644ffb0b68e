import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { type TokenClaims, verify } from "../auth/tokens.ts";
import * as users from "../data/users.ts";
import { ApiError } from "../runtime/errors.ts";

/** The account behind a call. */
export type Caller = users.UserRecord;

/** The value of a header. Names are compared without case: the gateway sends lower case, `sam local` Title-Case. */
export const headerOf = ({ headers }: APIGatewayProxyEventV2, name: string): string | undefined =>
  Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];

const BEARER = /^bearer[ \t]+([^ \t]+)$/i;

/** The claims of the token of a Bearer call; throws INVALID_AUTH_HEADER, INVALID_AUTH_HEADER_FORMAT or INVALID_TOKEN. */
export const requiredClaims = async (event: APIGatewayProxyEventV2): Promise<TokenClaims> => {
  const header = headerOf(event, "authorization")?.trim();
  if (!header) throw new ApiError("INVALID_AUTH_HEADER");
  const token = BEARER.exec(header)?.[1];
  if (!token) throw new ApiError("INVALID_AUTH_HEADER_FORMAT");
  const claims = await verify(token);
  if (!claims) throw new ApiError("INVALID_TOKEN");
  return claims;
};

/** The claims of the token of a call that needs none; undefined without a valid one. */
export const optionalClaims = async (event: APIGatewayProxyEventV2): Promise<TokenClaims | undefined> => {
  const token = BEARER.exec(headerOf(event, "authorization")?.trim() ?? "")?.[1];
  return token ? verify(token) : undefined;
};

/** The account of a token; undefined if the account is gone or its tokens of this version are revoked. */
export const callerOf = async ({ userId, tokenVersion }: TokenClaims): Promise<Caller | undefined> => {
  const user = await users.find(userId);
  return user?.tokenVersion === tokenVersion ? user : undefined;
};
