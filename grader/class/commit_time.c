/* commit_time.c: see commit_time.h. */
#include "commit_time.h"

#include <git2.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { MAX_COMMITS = 10000 };

static bool started(void) {
  static bool done;
  if (!done) {
    done = git_libgit2_init() > 0;
    /* Clones may belong to whoever collected them. */
    git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
  }
  return done;
}

/* The file's content in a commit; false: it is not in it. */
static bool blob_in(git_repository *repository, const git_commit *commit, const char *path,
                    git_oid *blob) {
  git_tree *tree = NULL;
  git_tree_entry *entry = NULL;
  (void)repository;
  bool there = git_commit_tree(&tree, commit) == 0 &&
               git_tree_entry_bypath(&entry, tree, path) == 0 &&
               git_tree_entry_type(entry) == GIT_OBJECT_BLOB;
  if (there) git_oid_cpy(blob, git_tree_entry_id(entry));
  git_tree_entry_free(entry);
  git_tree_free(tree);
  return there;
}

/* Goes back along first parents while the file stays what it is. */
static bool find_commit(git_repository *repository, const char *path, const git_oid *content,
                        long long *seconds) {
  git_reference *head = NULL;
  git_commit *commit = NULL;
  git_oid blob;
  bool found = git_repository_head(&head, repository) == 0 &&
               git_commit_lookup(&commit, repository, git_reference_target(head)) == 0 &&
               blob_in(repository, commit, path, &blob) && git_oid_equal(&blob, content);
  for (int i = 0; found && i < MAX_COMMITS; i++) {
    *seconds = (long long)git_commit_time(commit);
    git_commit *parent = NULL;
    bool same = git_commit_parent(&parent, commit, 0) == 0 &&
                blob_in(repository, parent, path, &blob) && git_oid_equal(&blob, content);
    git_commit_free(commit);
    commit = parent;
    if (!same) break;
  }
  git_commit_free(commit);
  git_reference_free(head);
  return found;
}

bool commit_time(const char *path, long long *seconds) {
  if (!started()) return false;
  char *whole = real_path(xstrdup(path)), *slash = strrchr(whole, '/');
  git_buf found = {0};
  git_repository *repository = NULL;
  git_oid content;
  char *folder = xprintf("%.*s", (int)(slash ? slash - whole : 0), whole);
  bool there = slash && git_repository_discover(&found, folder, 0, NULL) == 0 &&
               git_repository_open(&repository, found.ptr) == 0 &&
               git_repository_workdir(repository) != NULL;
  const char *root = there ? git_repository_workdir(repository) : "";
  there = there && strncmp(whole, root, strlen(root)) == 0 &&
          git_repository_hashfile(&content, repository, whole + strlen(root), GIT_OBJECT_BLOB,
                                  NULL) == 0 &&
          find_commit(repository, whole + strlen(root), &content, seconds);
  git_repository_free(repository);
  git_buf_dispose(&found);
  free(folder);
  free(whole);
  return there;
}
