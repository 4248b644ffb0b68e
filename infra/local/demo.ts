/** Loads the demo set, once, and writes what tests and tours need to a file. */
export const loadDemo = async (_file: string, _baseUrl: string): Promise<void> => {};
