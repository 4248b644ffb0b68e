/** The seed of the random tests of a file: SEED of the environment, else a new one; printed, so that a failure can be repeated. */
export const seedOf = (file: string): number => {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`${file}: SEED=${seed}`);
  return seed;
};
