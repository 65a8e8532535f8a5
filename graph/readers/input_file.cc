#include "graph/readers/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace fargraph {
namespace {

size_t BlockBytesOf(uint64_t file_bytes) {
  return std::clamp<uint64_t>(file_bytes, 4 * kKiB, kMiB);
}

/// Closes its descriptor with the last stream that reads from it.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(fd_); }

  int fd() const { return fd_; }

 private:
  int fd_;
};

class FileStream final : public ByteStream {
 public:
  FileStream(std::string path, std::shared_ptr<const Descriptor> descriptor, uint64_t offset)
      : path_(std::move(path)), descriptor_(std::move(descriptor)), offset_(offset) {}

  absl::StatusOr<size_t> Read(absl::Span<char> out) override {
    ssize_t bytes = -1;
    do {
      bytes = pread(descriptor_->fd(), out.data(), out.size(), static_cast<off_t>(offset_));
    } while (bytes < 0 && errno == EINTR);
    if (bytes < 0) {
      return absl::ErrnoToStatus(
          errno, absl::StrCat("cannot read input file '", path_, "' at byte offset ", offset_));
    }
    offset_ += static_cast<uint64_t>(bytes);
    return static_cast<size_t>(bytes);
  }

 private:
  std::string path_;
  std::shared_ptr<const Descriptor> descriptor_;
  uint64_t offset_;
};

class RegularFile final : public InputFile {
 public:
  RegularFile(std::string path, std::shared_ptr<const Descriptor> descriptor, uint64_t size)
      : path_(std::move(path)), descriptor_(std::move(descriptor)), size_(size) {}

  const std::string& name() const override { return path_; }
  absl::StatusOr<uint64_t> Size() const override { return size_; }
  size_t block_bytes() const override { return BlockBytesOf(size_); }

  absl::StatusOr<std::unique_ptr<ByteStream>> Open(uint64_t offset) const override {
    return std::make_unique<FileStream>(path_, descriptor_, std::min(offset, size_));
  }

 private:
  std::string path_;
  std::shared_ptr<const Descriptor> descriptor_;
  uint64_t size_;
};

class MemoryStream final : public ByteStream {
 public:
  MemoryStream(std::shared_ptr<const std::string> bytes, uint64_t offset)
      : bytes_(std::move(bytes)), rest_(absl::string_view(*bytes_).substr(offset)) {}

  absl::StatusOr<size_t> Read(absl::Span<char> out) override {
    const size_t count = rest_.copy(out.data(), out.size());
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::shared_ptr<const std::string> bytes_;
  absl::string_view rest_;
};

class MemoryInput final : public InputFile {
 public:
  MemoryInput(std::string name, std::string bytes, size_t block_bytes)
      : name_(std::move(name)),
        bytes_(std::make_shared<const std::string>(std::move(bytes))),
        block_bytes_(std::min(block_bytes, BlockBytesOf(bytes_->size()))) {}

  const std::string& name() const override { return name_; }
  absl::StatusOr<uint64_t> Size() const override { return bytes_->size(); }
  size_t block_bytes() const override { return block_bytes_; }

  absl::StatusOr<std::unique_ptr<ByteStream>> Open(uint64_t offset) const override {
    return std::make_unique<MemoryStream>(bytes_, std::min<uint64_t>(offset, bytes_->size()));
  }

 private:
  std::string name_;
  std::shared_ptr<const std::string> bytes_;
  size_t block_bytes_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const InputFile>> OpenInputFile(const std::string& path) {
  const auto not_found = [&path](absl::string_view reason) {
    return absl::NotFoundError(absl::StrCat("cannot open input file '", path, "': ", reason));
  };
  // Without O_NONBLOCK the opening of a pipe would wait for a writer.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return not_found(std::strerror(errno));
  auto descriptor = std::make_shared<const Descriptor>(fd);
  struct stat status {};
  if (fstat(fd, &status) != 0) return not_found(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) {
    return not_found("it is a directory; name a file");
  }
  if (!S_ISREG(status.st_mode)) {
    return not_found(
        "it is not a regular file, and it is read more than once; write its content to a file "
        "first");
  }
  posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
  return std::make_shared<RegularFile>(path, std::move(descriptor),
                                       static_cast<uint64_t>(status.st_size));
}

std::shared_ptr<const InputFile> MakeMemoryInput(std::string name, std::string bytes,
                                                 size_t block_bytes) {
  return std::make_shared<MemoryInput>(std::move(name), std::move(bytes), block_bytes);
}

absl::Status LineError(const InputFile& input, uint64_t line, absl::string_view problem) {
  return absl::DataLossError(
      absl::StrCat("cannot read input file '", input.name(), "', line ", line, ": ", problem));
}

absl::Status OffsetError(const InputFile& input, uint64_t offset, absl::string_view problem) {
  return absl::DataLossError(absl::StrCat("cannot read input file '", input.name(), "', ",
                                          input.decompressed() ? "decompressed " : "",
                                          "byte offset ", offset, ": ", problem));
}

absl::Status InputError(const InputFile& input, absl::string_view problem) {
  return absl::DataLossError(
      absl::StrCat("cannot read input file '", input.name(), "': ", problem));
}

absl::Status ShrunkError(const InputFile& input, uint64_t offset) {
  return OffsetError(input, offset,
                     "it ends sooner than when it was opened; read it once nothing writes to it");
}

}  // namespace fargraph
