import type { APIGatewayProxyEventV2 } from "aws-lambda";

/** The value of a header, case-insensitive: the gateway sends lower case, `sam local` Title-Case. */
export function headerOf({ headers }: Pick<APIGatewayProxyEventV2, "headers">, name: string): string | undefined {
  return Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
}
