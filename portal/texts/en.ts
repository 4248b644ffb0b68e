// Every text of the portal in English. A language is one file more, with the same keys. `{x}` stands for a value;
// a text of two forms has that for one thing first.

export const en = {
  posts: "Posts",
  roadmap: "Roadmap",
  manage: "Manage",
  signIn: "Sign in",
  signOut: "Sign out",
  signUp: "Sign up",
  profile: "Profile",
  skip: "Skip to the content",
  loading: "Loading",
  retry: "Try again",
  cancel: "Cancel",
  save: "Save",
  saved: "Saved",
  more: "Show more",
  notFound: "Page not found",
  notFoundHint: "There is nothing at this address.",
  toPosts: "Show all posts",

  newPost: "New post",
  searchPosts: "Search posts",
  trending: "Trending",
  top: "Top",
  newest: "New",
  order: "Order",
  board: "Board",
  allBoards: "All boards",
  status: "Status",
  allStatuses: "All statuses",
  noPosts: "No posts yet",
  noPostsHint: "Be the first to say what you need.",
  noMatches: "No posts match",
  noMatchesHint: "Try other words or filters.",
  votes: "{n} vote|{n} votes",
  comments: "{n} comment|{n} comments",
  vote: "Vote for {title}",
  voted: "You voted for {title}. Take your vote back",

  failed: "Something went wrong.",
  offline: "You seem to be offline. Nothing was changed.",
  busy: "The service is busy. Nothing was changed; please try again.",
  signedOut: "You are signed out. Please sign in again.",
  takenBack: "This did not work, so it was taken back: {reason}",
};

export type Texts = typeof en;
