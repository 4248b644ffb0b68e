// The whole service as one process has it, under `npm start`: what a container of a simulation runs.

export { backgroundFunctions } from "../../functions/background/index.ts";
export { endpoints } from "../../functions/index.ts";
export { handler as rotateSecret } from "../../functions/scheduled/rotate-secret.ts";
