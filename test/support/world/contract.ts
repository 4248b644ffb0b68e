import { endpoints } from "../../../functions/index.ts";

/** The endpoints of docs/contract.md, in its order. */
export const contract = endpoints.filter(({ definition }) => definition.contract);
