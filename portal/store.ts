// What this browser keeps for the portal. Where storage is blocked or full, it is kept in memory until the tab closes.

class Store {
  /** What the storage did not take. */
  private readonly memory = new Map<string, string>();
  private readonly storage: () => Storage;

  constructor(storage: () => Storage) {
    this.storage = storage;
  }

  get(key: string): string | undefined {
    return this.memory.get(key) ?? this.tryTo((storage) => storage.getItem(key) ?? undefined);
  }

  set(key: string, value: string): void {
    const isKept = this.tryTo((storage) => {
      storage.setItem(key, value);
      return true;
    });
    if (isKept) this.memory.delete(key);
    else this.memory.set(key, value);
  }

  remove(key: string): void {
    this.memory.delete(key);
    this.tryTo((storage) => storage.removeItem(key));
  }

  keys(): string[] {
    return [...(this.tryTo((storage) => Object.keys(storage)) ?? []), ...this.memory.keys()];
  }

  /** Even to name the storage throws where a browser blocks it. */
  private tryTo<T>(use: (storage: Storage) => T): T | undefined {
    try {
      return use(this.storage());
    } catch {
      return undefined;
    }
  }
}

/** Kept for all tabs, until it is removed. */
export const ofBrowser = new Store(() => localStorage);

/** Kept for this tab, also over a reload. */
export const ofTab = new Store(() => sessionStorage);
