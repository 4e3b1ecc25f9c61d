#include "pool.hpp"

#include <Python.h>

#include <algorithm>
#include <exception>
#include <thread>
#ifdef HAVE_FORK
#include <pthread.h>
#include <signal.h>
#endif

namespace topoctl {
namespace {

// To be woken takes about as long, and searches in a row follow each other sooner.
constexpr std::chrono::microseconds kLookout{50};

std::atomic<Pool*> pool{nullptr};
#ifdef HAVE_FORK
[[maybe_unused]] const int forgotten_by_forks = pthread_atfork(nullptr, nullptr, [] { pool = nullptr; });
#endif

// Looks often whether something has happened, but lets others have the core; returns whether it has.
template <class Happened>
bool happens_soon(const Happened& happened) {
    const auto end = std::chrono::steady_clock::now() + kLookout;
    while (!happened()) {
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::yield();
    }
    return true;
}

}  // namespace

// Called with the interpreter held, so never by two threads at once.
Pool& Pool::of_process() {
    if (!pool) pool = new Pool;
    return *pool;
}

void Pool::open(Call& call) {
    std::lock_guard lock(mutex_);
    calls_.push_back(&call);
    places_ += call.places;
    try {
        while (free_ < places_) start_thread();
    } catch (const std::exception&) {  // no more threads to be had: those that run share the work
    }
    const std::size_t awake = free_ - asleep_;
    for (std::size_t place = awake; place < places_; ++place) called_.notify_one();
}

void Pool::close(Call& call) {
    std::lock_guard lock(mutex_);
    places_ -= call.places;
    call.places = 0;
    calls_.erase(std::remove(calls_.begin(), calls_.end(), &call), calls_.end());
}

bool Pool::wait(Call& call, std::chrono::milliseconds most) {
    const auto all_left = [&] { return call.working == 0; };
    if (happens_soon(all_left)) return true;
    std::unique_lock lock(mutex_);
    return left_.wait_for(lock, most, all_left);
}

void Pool::start_thread() {
    std::thread([this] { serve(); }).detach();
    ++free_;
}

void Pool::serve() {
#ifdef HAVE_FORK
    sigset_t all;  // signals are for the threads that Python knows
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
#endif
    std::unique_lock lock(mutex_, std::defer_lock);
    for (;;) {
        happens_soon([&] { return places_ != 0; });
        lock.lock();
        ++asleep_;
        called_.wait(lock, [&] { return !calls_.empty(); });
        --asleep_;
        Call& call = *calls_.back();
        if (--call.places == 0) calls_.pop_back();
        --places_;
        --free_;
        ++call.working;
        const std::size_t worker = ++call.joined;
        lock.unlock();
        call.work(worker);
        lock.lock();
        ++free_;
        // With the lock still held: the call is gone as soon as nobody works.
        if (--call.working == 0) left_.notify_all();
        lock.unlock();
    }
}

}  // namespace topoctl
