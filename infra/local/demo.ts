/** Loads the demo set, once. */
export const loadDemo = async (): Promise<object> => ({});

/** Writes what tests and tours need to a file. */
export const writeDemoFile = async (_file: string, _baseUrl: string, _loaded: object): Promise<void> => {};
