// Threads that stay from call to call: to start one takes longer than a small search does.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <vector>

namespace topoctl {

class Pool {
public:
    // Work that other threads may join, in the frame of the one that opens it to them, which is worker 0.
    struct Call {
        std::function<void(std::size_t worker)> work;  // must not throw
        std::size_t places;                            // how many others may still join
        std::size_t joined = 0;
        std::atomic<std::size_t> working{0};
    };

    // The pool of this process. It is never destroyed: at the exit its threads sleep or work, and end with the
    // process. A fork has none of its parent's threads, so it begins a pool of its own.
    static Pool& of_process();

    // Lets threads join, started where too few are free; fewer join where no more are to be had.
    void open(Call& call);
    // Lets nobody join any more, whether or not all places were taken.
    void close(Call& call);
    // Waits this long for those that joined; returns whether all have left. The call is closed by then.
    bool wait(Call& call, std::chrono::milliseconds most);

private:
    // A thread's life: it looks out for calls a while, sleeps until there is one, and works.
    void serve();
    void start_thread();

    std::mutex mutex_;  // of all below, and of the calls' places
    std::condition_variable called_, left_;
    std::vector<Call*> calls_;  // that have places
    std::size_t free_ = 0;      // threads that are in no call
    std::size_t asleep_ = 0;    // of these
    std::atomic<std::size_t> places_{0};  // of all calls: what threads look at before they sleep
};

}  // namespace topoctl
