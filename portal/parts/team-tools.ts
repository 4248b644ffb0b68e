// What only the team sees of a post: a file that only the team loads.
export { AllVoters } from "./all-voters.tsx";
export * from "./in-one-file.ts";
export { Moderation } from "./moderation.tsx";
